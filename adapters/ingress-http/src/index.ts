export { type CallbackPage, type CallbackServer, type CallbackSettings, startCallbackServer } from './create-callback-server.ts';
export { type IngressServer, type IngressServerSettings, startIngressServer } from './create-ingress-server.ts';
export type { HookAttempt, IngressDoor, OpenDelivery } from './ingress-door.ts';
export { createIngressMetrics, type IngressMetrics, type IngressRefusal } from './ingress-metrics.ts';
