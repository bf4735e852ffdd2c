/**
 * What 100,000 stored reviews cost beside 1,000: a page of the list, each way to ask, and one more review from its request to its end,
 * on PostgreSQL and on the embedded database. The goal is at most 1.5 times the time. The stored ones are copies of one review, with its
 * events.
 * Run: npx tsx bench/ingest/reviews.bench.ts
 */
import { randomBytes } from 'node:crypto';
import { createEnvelopes, keyedMutex } from '@weir/belt';
import { BUS_MIGRATIONS } from '@weir/bus-embedded';
import type { ReviewCommand } from '@weir/contract';
import { EVENT_STORE_MIGRATIONS } from '@weir/event-store';
import { createSecretBox, withNewKey } from '@weir/keyset';
import { migrate } from '@weir/migrator';
import type { SqlPort } from '@weir/ports';
import { DELIVERY_MIGRATIONS, REVIEW_STORE_MIGRATIONS } from '@weir/review-store';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { findPostgres, startPostgres } from '@weir/test-infra';
import { reviewCommands } from '../../apps/cli/src/server/review-commands.ts';
import { openReviewStores } from '../../apps/cli/src/server/review-stores.ts';

const [FEW, MANY] = [1_000, 100_000];
const ROUNDS = 60;
const WARM_UP_ROUNDS = 5;
const GOAL = 1.5;
const PAGE = 50;
/** Rows that one statement copies. */
const BATCH = 5_000;
const FINDINGS = 3;
const NEWEST = Date.parse('2026-01-31T08:00:00Z');
const REPOSITORY = { owner: 'team', name: 'shop' };

/** Copy n is n seconds older, of one of a hundred repositories. */
const COPY_ROWS = `insert into weir_reviews (review_id, forge, origin, repository, change_number, status, archived, updated_at, list_row, page)
  select md5(n::text), forge, origin, 'team/shop-' || n % 100, n, status, n % 10 = 0, updated_at - n * 1000,
    replace(list_row::text, $1, md5(n::text))::json, replace(page::text, $1, md5(n::text))::json
  from weir_reviews, generate_series($2::int, $3::int) as n where review_id = $1`;
const COPY_EVENTS = `insert into weir_events (stream, version, envelope)
  select md5(n::text), version, replace(envelope::text, $1, md5(n::text))::json from weir_events, generate_series($2::int, $3::int) as n where stream = $1`;

const newId = (): string => randomBytes(16).toString('hex');
const time = (): string => new Date(NEWEST).toISOString();

/** A review from its request to its end, with three findings. */
function commandsOf(reviewId: string): readonly ReviewCommand[] {
  const head = randomBytes(20).toString('hex');
  const of = { reviewId, at: time(), round: 1, head, attempt: 1 };
  const coordinates = { forge: 'gitea', origin: 'https://forge.example', repositoryId: '12', repository: REPOSITORY, change: 3 };
  const author = { id: '7', login: 'kim', kind: 'person' } as const;
  const change = { number: 3, title: 'Add a ledger', url: null, author, state: 'open', draft: false } as const;
  const ids = Array.from({ length: FINDINGS }, (_, index) => `${head.slice(0, 8)}-${index}`);
  const findings = ids.map((id, index) => ({
    ...{ id, rule: 'correctness/order', path: 'src/ledger.ts', side: 'new', line: 42 + index, endLine: 42 + index },
    ...{ severity: 'major', category: 'correctness', fingerprint: `f-${id}` },
  })) as Extract<ReviewCommand, { type: 'RecordFindings' }>['findings'];
  const threads = ids.map(finding => ({
    finding,
    thread: { id: finding, root: finding, review: null, path: 'src/ledger.ts', side: 'new', line: 42 } as const,
  }));
  return [
    { type: 'RequestRound', reviewId, at: of.at, coordinates, change, head, cause: 'opened', by: '7', forced: false, observe: false },
    { type: 'BeginRound', ...of },
    { type: 'RecordDiff', ...of, diff: { files: 1, addedLines: 2, removedLines: 1, bytes: 100, truncated: false, renames: [] } },
    { type: 'RecordContext', ...of, context: null, missing: [] },
    {
      ...{ type: 'RecordFindings', ...of, headline: 'Not ready: 3 major.', complete: true, findings, verdicts: [], tracked: 0, content: 'artifact-1' },
      reading: { full: 1, partial: 0, skipped: 0, byRule: 0 },
    },
    { type: 'RecordPosted', ...of, findings: threads, answers: [], summary: 's1' },
  ];
}

const keyset = withNewKey(undefined, new Date());

interface Installation {
  /** Each way to use it, by name. */
  readonly tasks: Readonly<Record<string, () => Promise<unknown>>>;
  readonly sql: SqlPort;
}

async function install(sql: SqlPort, count: number): Promise<Installation> {
  for (const set of [EVENT_STORE_MIGRATIONS, BUS_MIGRATIONS, REVIEW_STORE_MIGRATIONS, DELIVERY_MIGRATIONS]) await migrate(sql, set);
  const { log, leases, views } = openReviewStores(
    sql,
    createSecretBox(() => keyset),
  );
  const envelopes = createEnvelopes({ source: '/bench', now: Date.now, upcasts: new Map() });
  const run = reviewCommands({ log, leases, envelopes, mutex: keyedMutex(), effect: (_, work) => work(), onOutcome: () => undefined });
  const review = async (reviewId = newId()): Promise<void> => {
    for (const command of commandsOf(reviewId)) {
      const { outcome } = await run(command, envelopes.first(command, { id: newId(), subject: reviewId }), { group: 'bench', messageId: newId() });
      if (outcome !== 'accepted') throw new Error(`${command.type} is ${outcome}`);
    }
  };
  const first = newId();
  await review(first);
  for (let from = 1; from < count; from += BATCH) {
    const to = Math.min(count - 1, from + BATCH - 1);
    await sql.query(COPY_ROWS, [first, from, to]);
    await sql.query(COPY_EVENTS, [first, from, to]);
  }
  await sql.query('analyze');
  const list = (filter: Parameters<typeof views.list>[0], after: string | null = null) => views.list(filter, { limit: PAGE, after });
  const middle = (await list({}, `${NEWEST - (count / 2) * 1_000}.0`)).next;
  return {
    sql,
    tasks: {
      'newest page': () => list({}),
      'page in the middle': () => list({}, middle),
      'by status': () => list({ status: ['completed'], archived: false }),
      'of a repository': () => list({ repository: 'team/shop-7' }),
      'of a change': () => list({ repository: 'team/shop-7', change: 107 }),
      'one more review': () => review(),
    },
  };
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await task();
  return performance.now() - began;
}

const median = (values: readonly number[]): number => [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The two take turns, so that what else the machine does falls on both. */
async function compare(name: string, few: Installation, many: Installation): Promise<void> {
  const lines: string[] = [];
  for (const task of Object.keys(few.tasks)) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
      for (const [place, { tasks }] of [few, many].entries()) {
        const ms = await timed(tasks[task] ?? (() => Promise.resolve()));
        if (round >= WARM_UP_ROUNDS) times[place]?.push(ms);
      }
    }
    const [small, large] = times.map(median) as [number, number];
    const ratio = large / small;
    if (ratio > GOAL) process.exitCode = 1;
    lines.push(`${task} ${large.toFixed(1)} ms beside ${small.toFixed(1)}, ratio ${ratio.toFixed(2)}`);
  }
  process.stdout.write(`${name}, ${MANY} stored reviews beside ${FEW} (goal ${GOAL}): ${lines.join('; ')}\n`);
}

async function onBoth(name: string, open: (which: string) => Promise<SqlPort>): Promise<void> {
  const few = await install(await open('few'), FEW);
  const many = await install(await open('many'), MANY);
  await compare(name, few, many);
  await few.sql.close();
  await many.sql.close();
}

const programs = findPostgres();
if (programs === undefined) {
  process.stdout.write('SKIPPED: no PostgreSQL server is installed; as root, tests/infra/install-postgres.sh installs one\n');
} else {
  const server = await startPostgres(programs);
  await onBoth('PostgreSQL', async which => createPostgres({ url: server.createDatabase(which), statementTimeoutMs: 0 }));
  await server.stop();
}
await onBoth('embedded', () => createPglite({ dataFolder: null, onNotice: () => undefined }));
