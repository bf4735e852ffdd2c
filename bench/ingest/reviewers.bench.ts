/**
 * Reviews a minute of one reviewer and of two on one PostgreSQL and one Kafka, with a model that takes 2 s; the goal is 1.7 times as many.
 * Each reviewer does one piece of work at a time, so that the model bounds it and not this machine. The processes are the built program:
 * `npm run build` first.
 * Run: npx tsx bench/ingest/reviewers.bench.ts
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Forge, startForge } from '@weir/forge-simulator';
import { startScriptedModel } from '@weir/scripted-model';
import { createPostgres } from '@weir/sql-postgres';
import { createHost, findKafka, findPostgres, freePort, installProgram, registerForge, startKafka, startPostgres } from '@weir/test-infra';

const REVIEWS = 16;
const MODEL_LATENCY_MS = 2_000;
const GOAL = 1.7;
const POLL_MS = 50;
const REPOSITORY = 'acme/shop';
const COMPLETED = `select count(*)::int as count from weir_reviews where status = 'completed'`;

async function seeded(): Promise<Forge> {
  const forge = await startForge({ kind: 'gitea' });
  for (const login of ['acme', 'alice', 'weir-bot']) forge.seed.account({ login });
  await forge.seed.repository({ owner: 'acme', name: 'shop' });
  forge.seed.permit(REPOSITORY, 'alice', 'write');
  forge.seed.permit(REPOSITORY, 'weir-bot', 'admin');
  await forge.seed.push({ repository: REPOSITORY, branch: 'main', files: { 'a.ts': 'const a = 1;\n' } });
  return forge;
}

interface Servers {
  readonly programs: string;
  readonly jars: string;
}

async function run({ programs, jars }: Servers): Promise<void> {
  const [program, postgres, kafka, forge, model] = [
    installProgram(),
    await startPostgres(programs),
    await startKafka(jars),
    await seeded(),
    await startScriptedModel({ latencyMs: MODEL_LATENCY_MS }),
  ];
  const url = postgres.createDatabase('bench');
  const env = {
    ...{ WEIR_STORAGE_DATABASE: url, WEIR_BUS_KAFKA: kafka.address, WEIR_SERVER_REVIEWS: '1' },
    ...{ WEIR_MODEL: 'scripted', WEIR_ALLOW_ORIGINS: [forge.url, model.origin].join(',') },
  };
  const host = createHost({ program, env });
  const port = await freePort();
  await registerForge(host, {
    ...{ modelUrl: model.baseUrl, forge, token: forge.token('weir-bot') },
    ...{ repository: REPOSITORY, hooks: `http://127.0.0.1:${port}` },
  });
  const serve = (roles: string, hooksPort = 0) => host.serve(['--role', roles, '--hooks-port', String(hooksPort), '--port', '0']);
  const sql = createPostgres({ url, poolSize: 1 });
  let opened = 0;

  /** @returns seconds until reviews of so many changes are completed. */
  async function review(count: number): Promise<number> {
    const branches = Array.from({ length: count }, (_, index) => `change-${opened + index}`);
    for (const branch of branches) {
      const files = { 'a.ts': 'const a = read(); // weir-plant: major correctness The value is unchecked\n' };
      await forge.seed.push({ repository: REPOSITORY, branch, by: 'alice', files });
    }
    await forge.settled();
    opened += count;
    const began = performance.now();
    for (const branch of branches) await forge.seed.change({ repository: REPOSITORY, head: branch, by: 'alice' });
    while (((await sql.query<{ count: number }>(COMPLETED)).rows[0]?.count ?? 0) < opened) await pause(POLL_MS);
    return (performance.now() - began) / 1_000;
  }

  const servers = [await serve('ingress,orchestrator', port), await serve('reviewer')];
  await review(2);
  const alone = await review(REVIEWS);
  servers.push(await serve('reviewer'));
  await review(4);
  const together = await review(REVIEWS);
  const ratio = alone / together;
  if (ratio < GOAL) process.exitCode = 1;
  const rate = (seconds: number): string => `${((REVIEWS * 60) / seconds).toFixed(0)} reviews a minute`;
  process.stdout.write(`one reviewer ${rate(alone)}, two ${rate(together)}, ratio ${ratio.toFixed(2)} (goal ${GOAL})\n`);
  for (const server of servers) await server.stop();
  await sql.close();
  host.remove();
  await Promise.all([forge.close(), model.close(), kafka.stop(), postgres.stop()]);
  program.release();
}

const [programs, jars] = [findPostgres(), findKafka()];
if (programs === undefined || jars === undefined) {
  process.stdout.write('SKIPPED: PostgreSQL and Kafka are needed; tests/infra/install-postgres.sh (as root) and tests/infra/install-kafka.sh install them\n');
} else await run({ programs, jars });
