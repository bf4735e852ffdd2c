export { type CompleteRules } from './complete-call.ts';
export { createModelGateway, type ModelGateway, type PlanAnswer } from './create-model-gateway.ts';
export { type GatewayCall, type GatewayReply } from './gateway-call.ts';
export type { AttentionEvent, CallEvent, GatewayEvent } from './gateway-event.ts';
export type { GatewayStores, GatewayWorld } from './gateway-world.ts';
export type { CatalogueDocument } from './list-models.ts';
export type { PlanDocument } from './plan-book.ts';
export { internalPrincipal, type InternalPurpose, type Principal } from './principal.ts';
