export type { LocalChange } from './change-source.port.ts';
export { HttpFailure, type HttpPort, type HttpRequest, type HttpResponse } from './http.port.ts';
export type { SqlPort, SqlResult, SqlRow, SqlSession } from './sql.port.ts';
export type { ModelAnswer, ModelPort, ModelRequest } from './model.port.ts';
export {
  createSqlPort,
  SQL_MAX_ROWS,
  type SqlAnswer,
  type SqlConnection,
  type SqlDriver,
  type SqlTransactionStatus,
  type TransactionMark,
} from './create-sql-port.ts';
export { retryConflict } from './retry-conflict.ts';
export { type SqlErrorFields, type SqlFailure, type SqlFailureCode, sqlFailure } from './sql-failure.ts';
export { encodeSqlValue, sqlDecoder } from './sql-values.ts';
export { AUDIT_START, auditLink, type AuditHash, type AuditPoint, auditText, type AuditVerdict, verifyAuditChain } from './audit-chain.ts';
export type { AuditEntry, AuditIntent, AuditLine, AuditOutcome, AuditStore } from './audit-store.port.ts';
export type { EtagBounds, EtagEntry, EtagKey, EtagStore } from './etag-store.port.ts';
export type { RateCharge, RateGrant, RateKey, RateRefusal, RateRequest, RateStore, ServerLimit } from './rate-store.port.ts';
