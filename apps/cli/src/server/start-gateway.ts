/** The part of a process that agents and clients ask for models: the gateway of the process, as a server. */
import { type GatewayServer, startGatewayServer } from '@weir/gateway-http';
import type { ComposedGateway } from '../gateway/compose-gateway.ts';
import { runStoreCall } from '../gateway/operator-calls.ts';
import { operatorKey } from '../gateway/operator-key.ts';
import { operatorStores } from './operator-stores.ts';
import type { ServerWorld } from './server-world.ts';

export interface GatewayPlace {
  readonly host: string;
  readonly port: number;
}

export interface StartedGateway extends GatewayServer {
  /** Of this run, for the commands of the operator. */
  readonly operatorKey: string;
}

export async function startGateway(world: ServerWorld, { gateway, metrics }: ComposedGateway, place: GatewayPlace): Promise<StartedGateway> {
  const { storage, box, settings, bus, log } = world;
  const { models } = storage;
  const stores = operatorStores(storage, box, bus.deadLetters);
  const operator = operatorKey(settings.get<string | null>('gateway.operatorKey'));
  const server = await startGatewayServer({
    ...{ ...place, gateway, metrics },
    isOperator: operator.isKey,
    operate: request => runStoreCall(request, stores),
    isReady: () =>
      models.config.revision().then(
        () => true,
        () => false,
      ),
    onBug: log.bug,
  });
  return { ...server, operatorKey: operator.key };
}
