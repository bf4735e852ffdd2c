/** Weir's gateway as `weir serve` composes it, with everything that a call goes through; its stores are in memory. */
import { startGatewayServer } from '@weir/gateway-http';
import { createHttp } from '@weir/http';
import { providerFromPreset } from '@weir/model-routes';
import { hashVirtualKey, memoryModelStores } from '@weir/model-store';
import { composeGateway, MODEL_CONNECTIONS } from '../../apps/cli/src/gateway/compose-gateway.ts';
import { createGatewayLog } from '../../apps/cli/src/gateway/gateway-log.ts';

const upstream = new URL(process.argv[2] ?? '');
const stores = memoryModelStores({ now: Date.now });
const checked = providerFromPreset('vllm', { name: 'bench', baseUrl: `${upstream.origin}/v1` });
if (!checked.ok) throw new Error('the preset is not allowed');
await stores.config.saveProvider(checked.row);
await stores.config.saveModel({
  modelProvider: 'bench',
  name: 'bench',
  upstreamModel: 'bench',
  price: { mode: 'metered', rates: { input: 100_000, output: 400_000 } },
});
await stores.credentials.add({ ref: 'bench-1', modelProvider: 'bench', label: 'bench', sealed: 'sk-bench' });
await stores.keys.create({
  ...{ id: 'k', hash: hashVirtualKey('bench-key'), label: 'k', holder: { kind: 'run', id: 'r' }, budgetMillicents: 100_000_000_000, budgetCalls: null },
  ...{ allowedRoutes: null, createdAt: 0, expiresAt: null },
});
// A ledger in memory grows with each call, as a table would: what else stays behind shows without it.
if (process.argv[3] === 'forget') Object.assign(stores.ledger, { open: async () => undefined, append: async () => 1 });
const log = createGatewayLog(false);
const { gateway, metrics } = composeGateway({
  http: createHttp({ allowOrigins: [upstream.origin], maxPerOrigin: MODEL_CONNECTIONS }),
  stores,
  secrets: { open: sealed => sealed },
  report: log.event,
});
const server = await startGatewayServer({
  ...{ gateway, metrics, isOperator: () => false, operate: async () => null, isReady: async () => true },
  ...{ host: '127.0.0.1', port: 0, onBug: log.bug },
});
process.send?.({ port: Number(new URL(server.origin).port) });
