export { type AuditSuiteSubject, auditStoreSuite } from './audit-store.suite.ts';
export { type EtagSuiteSubject, etagStoreSuite } from './etag-store.suite.ts';
export { type RateSuiteSubject, rateStoreSuite } from './rate-store.suite.ts';
export { sqlSuite, type SqlSuiteSubject } from './sql.suite.ts';
export type { SuiteTools } from './suite-tools.ts';
