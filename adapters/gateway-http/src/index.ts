export { type GatewayServer, MAX_BODY_BYTES, startGatewayServer } from './create-gateway-server.ts';
export type { ClientCall, ClientReply, GatewayDoor, KeyHolder, PlanQuestion } from './gateway-door.ts';
export type { GatewayServerSettings } from './gateway-server-settings.ts';
export { createMetrics, type GatewayMetrics, type MeasuredCall } from './metrics.ts';
