/**
 * The crash matrix: the production process dies by SIGKILL before and after every side effect of a review, is started again, and everything
 * is there once (REV-3a, REV-12, REV-18, REV-20, REV-29). `npm run test:crash` builds the program first.
 */
import { chargeLostCalls, sqlModelStores } from '@weir/model-store';
import { REVIEW_EFFECTS } from '@weir/ports';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase, installProgram, type Program } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../index.ts';
import { forgeEnd, type Lane, laneDesk, openLane, redeliver, reviewEnd, SCENARIOS, until, untilDone, untilQuiet } from './crash-lane.fixture.ts';
import { CRASH_MATRIX, type CrashCase, crashCases } from './crash-matrix.ts';

test('every effect has a row, and every row an effect', () => {
  expect(Object.keys(CRASH_MATRIX).sort()).toEqual([...REVIEW_EFFECTS].sort());
});

/** Installations at a time, each with a database, a forge and a model. */
const LANES = 2;

interface Storage {
  readonly name: string;
  /** Addresses of databases; null is an embedded one. */
  readonly databases: readonly (string | null)[];
}

const servers = await Promise.all(Array.from({ length: LANES }, freshDatabase));
const addresses = servers.flatMap(server => (server === undefined ? [] : [server.url]));
const storages: readonly Storage[] = [
  { name: 'embedded', databases: Array.from({ length: LANES }, () => null) },
  ...(addresses.length === 0 ? [] : [{ name: 'PostgreSQL', databases: addresses }]),
];

let program: Program | undefined;
beforeAll(() => void (program = installProgram()));
afterAll(() => program?.release());

let branches = 0;
const newBranch = (): string => `change-${(branches += 1)}`;

async function startIfDead({ weir }: Lane): Promise<void> {
  weir.aim(null);
  if (!weir.running()) await weir.start();
}

interface Spent {
  readonly calls: number;
  readonly unpricedCalls: number;
}
const spent = ({ weir }: Lane): Promise<Spent> => weir.ask<Spent>('ledger', 'sum', [{}]);

async function expectRightEnd(lane: Lane, change: number, { rounds, answers, right, place }: (typeof SCENARIOS)['first']): Promise<void> {
  expect(await reviewEnd(lane, change, place)).toEqual({ rounds: Array(rounds).fill('completed'), answers: Array(answers).fill('posted') });
  expect(forgeEnd(lane, change, place)).toEqual(right);
  expect(await lane.weir.ask('deadLetters', 'list', [{ limit: 10 }])).toEqual([]);
  expect(lane.forge.violations).toEqual([]);
}

/** One charge for each call that the model has served; nothing is free and nothing is paid twice. */
async function expectCharges(lane: Lane): Promise<void> {
  expect(lane.model.requests.map(({ status, problem }) => ({ status, problem })).filter(({ status }) => status !== 200)).toEqual([]);
  expect((await spent(lane)).calls).toBe(lane.model.requests.length);
}

async function crash(lane: Lane, { effect, phase, occurrence, scenario: name, redelivered, askedAgain }: CrashCase): Promise<void> {
  const { weir, forge, model } = lane;
  const scenario = SCENARIOS[name];
  const branch = newBranch();
  await startIfDead(lane);
  const prepared = await scenario.prepare(lane, branch);
  await untilQuiet(lane);
  const [asked, delivered] = [model.requests.length, forge.deliveries.length];

  weir.aim({ effect, phase, occurrence });
  const change = await scenario.act(lane, branch, prepared);
  await until(lane, `${effect} of the scenario ${name}, where the process dies`, () => !weir.running());
  await weir.died();

  await startIfDead(lane);
  if (redelivered) await redeliver(lane, delivered);
  await untilDone(lane, change, scenario);
  await expectRightEnd(lane, change, scenario);
  await expectCharges(lane);
  expect(model.requests.length - asked).toBe(scenario.calls + (askedAgain ? 1 : 0));
}

/** Killed while the model answers: nobody knows what the call has used, and it is charged all the same. */
async function crashInCall(lane: Lane, database: string | null): Promise<void> {
  const { weir, model } = lane;
  const branch = newBranch();
  await startIfDead(lane);
  const prepared = await SCENARIOS.first.prepare(lane, branch);
  await untilQuiet(lane);
  const [asked, before] = [model.requests.length, await spent(lane)];
  const change = await SCENARIOS.first.act(lane, branch, prepared);
  await until(lane, 'a model call', () => model.requests.length > asked);
  await weir.kill();
  await startIfDead(lane);
  await untilDone(lane, change, SCENARIOS.first);
  await expectRightEnd(lane, change, SCENARIOS.first);
  if (database !== null) await chargeNow(database);
  const after = await spent(lane);
  expect({ calls: after.calls - before.calls, unpriced: after.unpricedCalls - before.unpricedCalls }).toEqual({ calls: 2, unpriced: 1 });
  await expectCharges(lane);
}

/** As the sweeper does three hours later, when no process can have the call any more. */
async function chargeNow(url: string): Promise<void> {
  const sql = createPostgres({ url });
  await chargeLostCalls(sqlModelStores(sql, { now: Date.now }), Date.now());
  await sql.close();
}

describe.each(storages.map(storage => [storage.name, storage] as const))('%s', (_, { databases }) => {
  const lanes: Lane[] = [];
  let onLane: ReturnType<typeof laneDesk>;
  beforeAll(async () => {
    lanes.push(...(await Promise.all(databases.map(database => openLane(program as Program, database)))));
    onLane = laneDesk(lanes);
  });
  afterAll(() => Promise.all(lanes.map(lane => lane.close())));

  const cases = crashCases().map(row => [`${row.phase} ${row.effect} ${row.occurrence} (${row.scenario})`, row] as const);
  test.concurrent.each(cases)(`${verifies('REV-3a', 'REV-18', 'REV-29')} killed %s`, (_, row) => onLane(lane => crash(lane, row)));

  test.concurrent(`${verifies('REV-29')} killed in the middle of a model call`, () =>
    onLane(lane => crashInCall(lane, databases[lanes.indexOf(lane)] ?? null)));
});
