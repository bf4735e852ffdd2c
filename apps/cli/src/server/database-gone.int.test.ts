/** The database goes away in the middle of a round and comes back. WEIR_OUTAGE_SECONDS says for how long; the heavy test takes half a minute. */
import { createServer, connect, type Server, type Socket } from 'node:net';
import { chargeLostCalls } from '@weir/model-store';
import { type Forge, startForge } from '@weir/forge-simulator';
import { startScriptedModel } from '@weir/scripted-model';
import { verifies } from '@weir/requirements';
import { freePort, freshDatabase } from '@weir/test-infra';
import { expect, test } from 'vitest';
import { openStorage } from '../composition/open-storage.ts';
import { startTestServer } from './test-server.fixture.ts';

const NAME = 'acme/shop';
const PATIENCE = { timeout: 240_000, interval: 100 };

/** A way to the database that can be cut: connections break, and new ones are refused. */
interface Line {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

async function openLine(database: string): Promise<Line> {
  const target = new URL(database);
  const port = await freePort();
  const way = new URL(database);
  way.host = `127.0.0.1:${port}`;
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const mend = (): Promise<void> =>
    new Promise(resolve => {
      server = createServer(inward => {
        const outward = connect(Number(target.port), target.hostname);
        for (const [socket, other] of [
          [inward, outward],
          [outward, inward],
        ] as const) {
          sockets.add(socket);
          socket.once('close', () => void (sockets.delete(socket), other.destroy()));
          socket.on('error', () => socket.destroy());
          socket.pipe(other);
        }
      }).listen(port, '127.0.0.1', resolve);
    });
  const cut = (): Promise<void> =>
    new Promise(resolve => {
      server?.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await mend();
  return { url: way.href, cut, mend };
}

async function seeded(): Promise<Forge> {
  const forge = await startForge({ kind: 'github' });
  for (const login of ['acme', 'alice', 'weir-bot']) forge.seed.account({ login });
  await forge.seed.repository({ owner: 'acme', name: 'shop' });
  forge.seed.permit(NAME, 'alice', 'write');
  forge.seed.permit(NAME, 'weir-bot', 'admin');
  await forge.seed.push({ repository: NAME, branch: 'main', files: { 'a.ts': 'const a = 1;\n' } });
  return forge;
}

const database = await freshDatabase();
const seconds = Number(process.env['WEIR_OUTAGE_SECONDS'] ?? 3);

test.skipIf(database === undefined)(
  `${verifies('REV-20', 'REV-3a')} the database is away for ${seconds} s in the middle of a round: nothing is lost, nothing comes twice`,
  { timeout: 300_000 },
  async () => {
    const line = await openLine(database?.url ?? '');
    const forge = await seeded();
    const model = await startScriptedModel({ latencyMs: 1_000 });
    const storage = await openStorage({ database: line.url, say: () => undefined });
    const weir = await startTestServer({ modelUrl: model.baseUrl, allowOrigins: [model.origin, forge.url], storage });
    const { register, server, log } = weir;
    const repository = await register({ kind: 'github', url: forge.url, token: forge.token('weir-bot'), repository: { owner: 'acme', name: 'shop' } });
    const open = async (branch: string): Promise<number> => {
      await forge.seed.push({ repository: NAME, branch, by: 'alice', files: { 'a.ts': 'const a = 1;\nread(); // weir-plant: major correctness Unchecked\n' } });
      return (await forge.seed.change({ repository: NAME, head: branch, by: 'alice' })).number;
    };

    // Away while the model answers; what is delivered meanwhile is not taken, so that the forge knows.
    const first = await open('one');
    await expect.poll(() => model.requests.length, { ...PATIENCE, interval: 10 }).toBe(1);
    await line.cut();
    const delivered = forge.deliveries.length;
    const second = await open('two');
    await new Promise(resolve => setTimeout(resolve, seconds * 1_000));
    await forge.settled();
    const refused = forge.deliveries.slice(delivered);
    expect(refused.map(({ status }) => status).filter(status => status === 202)).toEqual([]);
    await line.mend();
    for (const { id } of refused) forge.redeliver(id);

    for (const change of [first, second]) {
      await expect.poll(async () => (await repository.review(change))?.page.rounds.map(({ status }) => status), PATIENCE).toEqual(['completed']);
      const { threads, remarks } = forge.seed.changeOf(NAME, change);
      expect([threads.length, remarks.length]).toEqual([1, 1]);
    }
    const { models, sql } = server.world.storage;
    await expect.poll(async () => (await server.world.bus.deadLetters.list({ limit: 10 })).length, PATIENCE).toBe(0);
    // A call whose end could not be written is charged by the sweeper later.
    await chargeLostCalls(models, Date.now());
    expect((await models.ledger.sum({})).calls).toBe(model.requests.length);
    expect(forge.violations).toEqual([]);
    expect(log.filter(text => text.includes('"event":"bug"'))).toEqual([]);
    expect((await sql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await weir.close();
    await Promise.all([forge.close(), model.close(), line.cut()]);
  },
);
