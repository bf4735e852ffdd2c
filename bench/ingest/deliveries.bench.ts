/**
 * 2,000 signed deliveries to the built server with all its roles, which is killed (SIGKILL) in the middle and started again; each opens a
 * draft, whose review notes that it waits. What got no 202 is sent once more. None may be lost or count twice, and 99 of 100 get their 202
 * within 50 ms, on the embedded database and on PostgreSQL. Build first: `npm run build`.
 * Run: npx tsx bench/ingest/deliveries.bench.ts [deliveries a second]
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { SqlPort } from '@weir/ports';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { createHost, findPostgres, freePort, type Host, installProgram, type Program, registerForge, startPostgres } from '@weir/test-infra';
import { type ForgeFront, startForgeFront } from './forge-front.ts';
import { sendAll } from './sender.ts';

const DELIVERIES = 2_000;
const KILL_AFTER = DELIVERIES / 2;
const PER_SECOND = Number(process.argv[2] ?? 10);
const GOAL_MS = 50;
const QUIET_MS = 3_000;
const COUNT = `select count(*)::int as events, count(distinct stream)::int as reviews from weir_events`;

interface Place {
  readonly name: string;
  /** Null: the embedded one. */
  readonly database: string | null;
  readonly open: (host: Host) => Promise<SqlPort>;
}

async function run(program: Program, { name, database, open }: Place): Promise<void> {
  const forge = await startForgeFront();
  const env = { WEIR_ALLOW_ORIGINS: forge.url, ...(database === null ? {} : { WEIR_STORAGE_DATABASE: database }) };
  const host = createHost({ program, env });
  const ports = { hooks: await freePort(), gateway: await freePort() };
  const start = () => host.serve(['--port', String(ports.gateway), '--hooks-port', String(ports.hooks)]);
  await registerForge(host, {
    modelUrl: null,
    forge: { kind: 'gitea', url: forge.url },
    ...forge,
    hooks: `http://127.0.0.1:${ports.hooks}`,
  });
  let server = await start();
  let restarted: Promise<void> | undefined;
  const killInTheMiddle = async (): Promise<void> => {
    await server.kill();
    server = await start();
  };
  const { times, refused } = await sendAll({
    ...forge.hook(),
    ...{ count: DELIVERIES, perSecond: PER_SECOND, bodyOf: forge.opened },
    onTaken: taken => {
      if (taken === KILL_AFTER) restarted = killInTheMiddle();
    },
  });
  await restarted;
  await untilQuiet(forge);
  await server.stop();
  const sql = await open(host);
  const { rows } = await sql.query<{ readonly events: number; readonly reviews: number }>(COUNT);
  await sql.close();
  host.remove();
  await forge.close();
  report(name, { times, refused, ...(rows[0] ?? { events: 0, reviews: 0 }) });
}

/** No change is asked for any more. */
async function untilQuiet({ asked }: ForgeFront): Promise<void> {
  for (let seen = -1; seen !== asked.length; await pause(QUIET_MS)) seen = asked.length;
}

interface Outcome {
  readonly times: readonly number[];
  readonly refused: number;
  readonly events: number;
  readonly reviews: number;
}

function report(name: string, { times, refused, events, reviews }: Outcome): void {
  const at = (share: number, some = times): number => [...some].sort((left, right) => left - right)[Math.ceil(some.length * share) - 1] ?? Number.NaN;
  const before = at(0.99, times.slice(0, KILL_AFTER));
  const [lost, doubled] = [DELIVERIES - reviews, events - reviews];
  // The times are those of this machine now; that nothing is lost holds on any.
  if (lost !== 0 || doubled !== 0) process.exitCode = 1;
  process.stdout.write(
    `${name}: ${DELIVERIES} deliveries at ${PER_SECOND} a second, ${refused} attempts without 202 after a SIGKILL; ` +
      `lost ${lost}, doubled ${doubled}; 202 after ${at(0.5).toFixed(1)} ms (median), ${at(0.99).toFixed(1)} ms (p99, goal ${GOAL_MS}; before the kill ${before.toFixed(1)}), ${at(1).toFixed(1)} ms (longest)\n`,
  );
}

const program = installProgram();
await run(program, {
  name: 'embedded',
  database: null,
  open: host => createPglite({ dataFolder: host.dataFolder, onNotice: () => undefined }),
});
const programs = findPostgres();
if (programs === undefined) {
  process.stdout.write('SKIPPED: no PostgreSQL server is installed; as root, tests/infra/install-postgres.sh installs one\n');
} else {
  const postgres = await startPostgres(programs);
  const url = postgres.createDatabase('bench');
  await run(program, { name: 'PostgreSQL', database: url, open: async () => createPostgres({ url, poolSize: 1 }) });
  await postgres.stop();
}
program.release();
