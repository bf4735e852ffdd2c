export type { Acknowledgement, Acknowledgements } from './acknowledgements.port.ts';
export type { ApiAnswer, ApiCall, ApiCaller, ApiFeed, ApiFeedEvent, ApiHandler } from './api.port.ts';
export type { AnswerStore, Identity, KeptAnswer, KeyedRequest, ProviderSignIn } from './identity.port.ts';
export type { LocalChange } from './change-source.port.ts';
export { HttpFailure, type HttpPort, type HttpRequest, type HttpResponse } from './http.port.ts';
export type { SqlDatabase, SqlPort, SqlResult, SqlRow, SqlSession } from './sql.port.ts';
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
export type { RateCharge, RateGrant, RateKey, RateOutcome, RateRefusal, RateRequest, RateStore, RunCall, ServerLimit } from './rate-store.port.ts';
export {
  type CredentialPick,
  credentialPlace,
  type CredentialPool,
  type CredentialReport,
  type CredentialState,
  type ModelCredential,
  type NewCredential,
} from './credential-pool.port.ts';
export { type CallPlace, type LedgerStore, type OpenCall, SPEND_GROUPS, type SpendFilter, type SpendGroup, type SpendRow } from './ledger-store.port.ts';
export type { ModelConfigStore, ModelSnapshot } from './model-config-store.port.ts';
export type { SealedColumn, SealedRow, SecretBox, SecretPlace } from './secret-box.port.ts';
export type { Reservation, ReserveOutcome, ReserveRefusal, VirtualKeyStore } from './virtual-key-store.port.ts';
export type { Bus, BusConsumer, BusMessage, BusTopology, DeadLetter, DeadLetters, Delivery, RetryPolicy, RetryStore, Subscription } from './bus.port.ts';
export type { AppendOutcome, AppendRequest, EventLog, InlineProjection, LogEvent, LogPosition, NewLogEvent } from './event-log.port.ts';
export type { Lease, LeasedWork, LeaseStore, NewWork, WorkClaim } from './lease-store.port.ts';
export type { HandledMark, Outbox, OutboxMessage } from './outbox.port.ts';
export { pollLoop, type PollLoop, type PollLoopParts } from './poll-loop.ts';
export { createUpcast, EnvelopeUnreadable, presentVersion, type Upcast, type UpcastStep, type UpcastTable } from './upcast.ts';
export { type Artifact, ARTIFACT_KINDS, type ArtifactKind, type ArtifactStore, MAX_ARTIFACT_BYTES } from './artifact-store.port.ts';
export { DELIVERY_DAYS, type DeliveryStore, MAX_DELIVERY_TEXT, type StoredDelivery } from './delivery-store.port.ts';
export { REVIEW_EFFECTS, type ReviewEffect, type RunEffect } from './effects.port.ts';
export type { ForgeDialect, ForgePort, ForgeText } from './forge.port.ts';
export type { PostingClaims, PostingClaimState } from './posting-claims.port.ts';
export {
  accountSecretPlace,
  type ForgeAccount,
  type HookRegistration,
  hookSecretPlace,
  type RegisteredRepository,
  type ReviewRegistry,
  type UnregisteredDelivery,
} from './review-registry.port.ts';
export type { ReviewColumns, ReviewFilter, ReviewFolds, ReviewTotals, ReviewViews } from './review-views.port.ts';
