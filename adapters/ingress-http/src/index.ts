export { type IngressServer, type IngressServerSettings, startIngressServer } from './create-ingress-server.ts';
export type { HookAttempt, IngressDoor, OpenDelivery } from './ingress-door.ts';
export { createIngressMetrics, type IngressMetrics, type IngressRefusal } from './ingress-metrics.ts';
