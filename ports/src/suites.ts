export { type AuditSuiteSubject, auditStoreSuite } from './audit-store.suite.ts';
export { type CredentialPoolSuiteSubject, credentialPoolSuite } from './credential-pool.suite.ts';
export { type EtagSuiteSubject, etagStoreSuite } from './etag-store.suite.ts';
export { type LedgerSuiteSubject, ledgerStoreSuite } from './ledger-store.suite.ts';
export { type ModelConfigSuiteSubject, modelConfigStoreSuite } from './model-config-store.suite.ts';
export { type RateSuiteSubject, rateStoreSuite } from './rate-store.suite.ts';
export { sqlSuite, type SqlSuiteSubject } from './sql.suite.ts';
export type { SuiteTools } from './suite-tools.ts';
export { type VirtualKeySuiteSubject, virtualKeyStoreSuite } from './virtual-key-store.suite.ts';
