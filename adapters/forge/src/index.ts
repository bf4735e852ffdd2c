export { type CompiledProvider, compileProvider } from './compile-provider.ts';
export { accountCredentials } from './account-credentials.ts';
export { createForgePort } from './forge-port.ts';
export { type Delivery, mapWebhook, type WebhookOutcome } from './map-webhook.ts';
export {
  createMappingCompiler,
  ExpressionError,
  type Mapping,
  type MappingCompiler,
  type MappingOutcome,
  MAX_EXPRESSION_LENGTH,
  MAX_STEPS,
} from './mapping.ts';
export { type CallOutcome, MAX_EACH, type PerformCall, type PreparedCall, runVerb, type VerbOutcome } from './run-verb.ts';
export { createProvider, type Provider } from './create-provider.ts';
export type { AppIdentity } from './credentials/app-credential.ts';
export type { CredentialSources } from './credentials/credential-resolver.ts';
export type { RunTool } from './credentials/find-token.ts';
export type { CallAnswer } from './execute-call.ts';
export type { Verdict } from './judge-call.ts';
export { type ProviderFailure, type ProviderFailureKind, ProviderError } from './provider-failure.ts';
export type { CallContext, CallForm, CallOptions, ProviderOptions } from './provider-options.ts';
export type { VerbContext } from './perform-verb-call.ts';
export { createReceiptSigner, type ReceiptSubject, type SignReceipt, verifyReceipt } from './receipt.ts';
export { type IncomingDelivery, openSignature, readWebhook, type SignatureCheck, type WebhookReception } from './receive-webhook.ts';
export type { ShownRequest } from './show-request.ts';
export type { Page } from './walk-pages.ts';
export type { Author, DropReason } from './untrusted/author-judge.ts';
export type { CutCounts } from './untrusted/bounded-json.ts';
export type { DroppedContent } from './untrusted/lock-down.ts';
export { type ForModel, MODEL_TEXT_LIMIT, type ModelText, type ModelTextOptions } from './untrusted/for-model.ts';
