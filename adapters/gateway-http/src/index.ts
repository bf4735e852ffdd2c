export { type GatewayServer, type GatewayServerSettings, MAX_BODY_BYTES, startGatewayServer } from './create-gateway-server.ts';
export type { ClientCall, ClientReply, GatewayDoor, KeyHolder, PlanQuestion } from './gateway-door.ts';
export { createMetrics, type GatewayMetrics, type MeasuredCall } from './metrics.ts';
