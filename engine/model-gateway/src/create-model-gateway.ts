/** The model gateway: one engine between any client and any model (page 40). Doors hand calls in; sockets, stores and time come from outside. */
import type { ModelPort } from '@weir/ports';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { countTokens } from './count-tokens.ts';
import { deliverCall } from './deliver-call.ts';
import { CALL_HEADER, failureReply, type GatewayCall, type GatewayReply } from './gateway-call.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { createKeyDoor, type KeyCheck } from './key-door.ts';
import { type CatalogueDocument, catalogueOf } from './list-models.ts';
import { completeCall, type CompleteRules } from './complete-call.ts';
import { type CallRules, openCall, type Switchboard } from './open-call.ts';
import { createPlanBook, type PlanDocument } from './plan-book.ts';
import { type PlanAnswer, type PlanQuestion, planRoute } from './plan-route.ts';
import type { Principal } from './principal.ts';
import { createRouteBook } from './route-book.ts';
import { createUpstream } from './send-upstream.ts';

/** A reasoning model may think for minutes before its first byte; the client ends sooner what it does not want to wait for. */
const CLIENT_RULES: CallRules = { deadlines: { firstByteMs: 600_000, idleMs: 300_000 }, repeats: 1 };

export interface ModelGateway {
  /** @param presented the key as the client sent it. */
  authenticate(presented: string | undefined): Promise<KeyCheck>;
  /** Rejects with the signal's reason when the client has gone; every other ending is a reply in the client's protocol. */
  call(call: GatewayCall): Promise<GatewayReply>;
  countTokens(call: GatewayCall): Promise<GatewayReply>;
  /** The models that the principal may use. */
  listModels(principal: Principal, binding?: string): Promise<CatalogueDocument>;
  /** What would become of a request, without sending it; for an operator. */
  planRoute(question: PlanQuestion): Promise<PlanAnswer>;
  /** What became of one of the last calls of this process. */
  planOfCall(callRef: string): PlanDocument | undefined;
  /** The model as Weir itself asks it. */
  modelPort(rules: CompleteRules): ModelPort;
}

export function createModelGateway(world: GatewayWorld): ModelGateway {
  const door = createKeyDoor(world);
  const board: Switchboard = {
    world,
    routes: createRouteBook(world),
    plans: createPlanBook(),
    upstream: createUpstream(world, createCircuitBreaker(world.now)),
  };
  return {
    authenticate: presented => door.check(presented),
    async call(call) {
      const opening = await openCall(call, CLIENT_RULES, board);
      if ('opened' in opening) return deliverCall(opening.opened, world);
      return failureReply(call.protocol, opening.failure, { [CALL_HEADER]: opening.callRef });
    },
    countTokens: call => countTokens(call, CLIENT_RULES, board),
    listModels: async (principal, binding) => catalogueOf(await board.routes.rows(), principal, binding, world.hash),
    planRoute: async question => planRoute(question, await board.routes.rows(), world.hash),
    planOfCall: callRef => board.plans.get(callRef),
    modelPort: rules => ({ complete: (question, signal) => completeCall({ question, rules, signal }, board) }),
  };
}
