/** Reviews and calls as the real commands and stores write them, for tests, pictures and benchmarks of the dashboard. */
import { randomUUID } from 'node:crypto';
import type { FindingCoordinates, ReviewCommand, ReviewCommandOf, ReviewReport, Severity, ThreadRef } from '@weir/contract';
import { type MadeWith, writeRoundContent } from '@weir/review-workers';
import { ACTOR, idOfChange, ORIGIN, type SeededWorld } from './seeded-world.fixture.ts';

export const headOf = (number: number, round: number): string => `${number}${round}`.padStart(40, 'a').replaceAll(/[^0-9a-f]/g, '0');

export interface SeededFinding extends Partial<Pick<FindingCoordinates, 'rule' | 'category' | 'endLine'>> {
  readonly severity: Severity;
  readonly path: string;
  readonly line: number;
  readonly title: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly evidence?: ReviewReport['findings'][number]['evidence'];
  /** It stands in a thread on its lines; else in the summary. */
  readonly inThread?: true;
}

type Of = Pick<ReviewCommandOf<'BeginRound'>, 'reviewId' | 'at' | 'round' | 'head' | 'attempt'>;

export interface SeededRound {
  readonly change: number;
  /** `owner/name`; team/shop when left out. */
  readonly repository?: string;
  readonly round: number;
  readonly at: string;
  readonly title?: string;
  readonly observe?: true;
  /** Its new findings; of a severity alone a sample is made. */
  readonly finds: readonly (Severity | SeededFinding)[];
  readonly verdicts?: readonly { readonly finding: string; readonly verdict: 'resolved' | 'still_open' | 'unchanged' }[];
  readonly made?: MadeWith;
  readonly missing?: ReviewCommandOf<'RecordContext'>['missing'];
  /** The round stays in this stage. */
  readonly until?: 'queued' | 'generating' | 'posting';
  /** How it ends where it would go on from that stage. */
  readonly ends?: (of: Of) => ReviewCommand;
}

const sampleOf = (severity: Severity, round: number, place: number): SeededFinding => ({
  ...{ severity, path: `src/file-${place}.ts`, line: 4, title: `Title of ${idAt(round, place)}`, message: 'What happens.' },
});
const idAt = (round: number, place: number): string => `${round}${'abcdefgh'[place] ?? 'z'}`;

interface Found {
  readonly given: SeededFinding;
  readonly at: FindingCoordinates;
}

function foundOf({ finds, round }: SeededRound): readonly Found[] {
  return finds.map((one, place) => {
    const given = typeof one === 'string' ? sampleOf(one, round, place) : one;
    const { severity, path, line, endLine = line, rule = 'correctness/order', category = 'correctness' } = given;
    return { given, at: { id: idAt(round, place), rule, path, side: 'new', line, endLine, severity, category, fingerprint: `f-${round}-${place}` } };
  });
}

function reportOf(found: readonly Found[], { head, at }: Of): ReviewReport {
  return {
    ...{ schemaVersion: 1, weir: '0.1.0', at, change: { kind: 'range', base: null, head, files: 3, addedLines: 9, removedLines: 2 } },
    ...{ headline: 'Not ready.', complete: true, coverage: [], notes: [], specialists: [{ key: 'correctness', failure: null, findings: found.length }] },
    model: { state: 'ran', model: 'm', usage: { calls: 1, inputTokens: 10, outputTokens: 2 }, failure: null, note: 'one call' },
    findings: found.map(({ given: { title, message, suggestion = null, evidence = [] }, at: place }) => ({
      ...{ ...place, fingerprint: 'ab'.repeat(16), title, message, quote: null, evidence, suggestion },
      ...{ sources: ['correctness'], placement: { kind: 'summary', reason: 'seeded' } },
    })),
  };
}

const threadOf = ({ given: { inThread }, at: { id, path, side, line } }: Found): ThreadRef | null =>
  inThread === undefined ? null : { id: `t-${id}`, root: `t-${id}`, review: null, path, side, line };

/** Seconds after the request at which each stage begins or ends. */
const PACE = { began: 1, diff: 4, context: 9, found: 38, ended: 42 } as const;
const later = (at: string, seconds: number): string => new Date(Date.parse(at) + seconds * 1_000).toISOString();

function coordinatesOf({ change, repository = 'team/shop' }: SeededRound) {
  const [owner = '', name = ''] = repository.split('/');
  return { forge: 'gitea', origin: ORIGIN, repositoryId: repository === 'team/shop' ? '12' : null, repository: { owner, name }, change };
}

/** A whole round by the commands of the pipeline, with the texts where they lie. */
export async function seedRound(world: SeededWorld, seeded: SeededRound): Promise<void> {
  const { change, round, at, title = `Change ${change}`, observe = false, missing = [], until, ends } = seeded;
  const [reviewId, head] = [idOfChange(change), headOf(change, round)];
  const coordinates = coordinatesOf(seeded);
  const url = `${ORIGIN}/${coordinates.repository.owner}/${coordinates.repository.name}/pulls/${change}`;
  const card = { number: change, title, url, author: ACTOR, state: 'open', draft: false } as const;
  const of = (seconds: number): Of => ({ reviewId, round, head, attempt: 1, at: later(at, seconds) });
  const cause = round === 1 ? 'opened' : 'pushed';
  await world.run({ type: 'RequestRound', reviewId, at, head, coordinates, change: card, cause, by: '7', forced: false, observe });
  if (until === 'queued') return;
  await world.run({ type: 'BeginRound', ...of(PACE.began) });
  await world.run({ type: 'RecordDiff', ...of(PACE.diff), diff: { files: 3, addedLines: 9, removedLines: 2, bytes: 100, truncated: false, renames: [] } });
  await world.run({ type: 'RecordContext', ...of(PACE.context), context: null, missing });
  if (until !== 'generating') await seedFindings(world, seeded, of);
  else if (ends !== undefined) await world.run(ends(of(PACE.found)));
}

async function seedFindings(world: SeededWorld, seeded: SeededRound, of: (seconds: number) => Of): Promise<void> {
  const { verdicts = [], observe, until, ends, made } = seeded;
  const found = foundOf(seeded);
  const { reviewId, round, ...reading } = of(PACE.found);
  const content = `${reviewId}/${round}/report`;
  const text = writeRoundContent({ report: reportOf(found, of(PACE.found)), steps: [], ...(made === undefined ? {} : { made }) });
  await world.stores.artifacts.put({ id: content, reviewId, kind: 'report', text, expiresAt: null });
  await world.run({
    ...{ type: 'RecordFindings', reviewId, round, ...reading, headline: 'Not ready.', complete: true, findings: found.map(({ at }) => at) },
    ...{ reading: { full: 3, partial: 0, skipped: 0, byRule: 0 }, verdicts: [...verdicts], tracked: 0, content },
  });
  if (until === 'posting' && ends !== undefined) await world.run(ends(of(PACE.ended)));
  if (until === 'posting' || observe === true) return;
  const findings = found.map(one => ({ finding: one.at.id, thread: threadOf(one) }));
  await world.run({ type: 'RecordPosted', ...of(PACE.ended), findings, answers: [], summary: 's1' });
}

export interface SeededCall {
  readonly review?: string | null;
  readonly repository?: string | null;
  readonly at: number;
  /** Of input, at a dollar a million; null: the price is not known. */
  readonly tokens: number | null;
  readonly capability?: string;
  readonly model?: { readonly provider: string; readonly name: string };
}

/** One call with its lines in the ledger. */
export async function seedCall({ models }: Pick<SeededWorld, 'models'>, call: SeededCall): Promise<void> {
  const { review = null, repository = review === null ? null : 'team/shop', at, tokens, capability = 'review', model } = call;
  const line = (tokenType: 'input' | 'output', count: number) =>
    ({ tokenType, tokens: count, rate: 100_000_000, cost: count * 100, pricingMode: 'metered' }) as const;
  await models.ledger.append(
    {
      ...{ callRef: randomUUID(), at, capability, modelProvider: model?.provider ?? 'p', model: model?.name ?? 'vendor/m', credentialRef: null },
      ...{ forge: null, virtualKey: null, person: null, run: null, review, repository },
    },
    tokens === null ? [{ tokenType: 'total', tokens: null, rate: null, cost: null, pricingMode: 'unknown' }] : [line('input', tokens), line('output', 3)],
  );
}
