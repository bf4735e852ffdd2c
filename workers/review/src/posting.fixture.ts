/** Rounds that are posted in tests: stores in memory, views by folding events, and a side effect that ends the process. */
import type { ReviewEvent, ReviewFinding, ReviewReport, ReviewResult } from '@weir/contract';
import type { Artifact, ForgeAccount, ForgePort, PostingClaims, RegisteredRepository, ReviewEffect } from '@weir/ports';
import { type ReviewListRow, reviewList, type ReviewPage, reviewPage, type ThreadStep } from '@weir/review';
import { writeRoundContent } from './round-content.ts';
import type { StageParts, StageWork } from './stage.ts';

export const reviewId = 'ab'.repeat(32);
const at = '2026-01-31T08:00:00.000Z';

/** The process that dies at a side effect. */
export class Killed extends Error {}

export interface KillPoint {
  readonly effect: ReviewEffect;
  readonly phase: 'before' | 'after';
}

/** Claims as the store keeps them: a higher fence takes over, what is settled stays. */
export function memoryClaims(): PostingClaims {
  const rows = new Map<string, { fence: string; settled: boolean; result?: unknown }>();
  return {
    claim: async (key, { fence }) => {
      const row = rows.get(key);
      if (row?.settled === true) return { state: 'done', result: structuredClone(row.result) };
      if (row !== undefined && BigInt(row.fence) > BigInt(fence)) return { state: 'held' };
      rows.set(key, { fence, settled: false });
      return { state: row === undefined ? 'claimed' : 'taken_over' };
    },
    settle: async (key, fence, result) => {
      const row = rows.get(key);
      if (row?.fence !== fence) return false;
      if (!row.settled) rows.set(key, { fence, settled: true, result: JSON.parse(JSON.stringify(result)) as unknown });
      return true;
    },
  };
}

export const found = (more: Partial<ReviewFinding> = {}): ReviewFinding => {
  const { id = '1a', line = 5 } = more;
  return {
    ...{ id, rule: 'correctness/order', path: 'src/app.ts', side: 'new' as const, line, endLine: line },
    ...{ severity: 'major' as const, category: 'correctness' as const, title: `Finding ${id}`, message: `What happens at ${line}.` },
    ...{ quote: null, evidence: [], suggestion: null, fingerprint: line.toString(16).padStart(4, '0').repeat(16), sources: ['correctness'] },
    placement: { kind: 'line', side: 'new', line, endLine: line, hunk: 0, moved: false },
    ...more,
  };
};

export const reported = (findings: readonly ReviewFinding[], more: Partial<ReviewReport> = {}): ReviewReport => ({
  ...{ schemaVersion: 1, weir: '0.1.0', at, headline: findings.length === 0 ? 'Nothing found.' : `Not ready: ${findings.length} open.`, complete: true },
  change: { kind: 'range', base: null, head: null, files: 1, addedLines: 3, removedLines: 3 },
  ...{ findings, specialists: [], notes: [] },
  coverage: [{ path: 'src/app.ts', reading: 'full', reason: null, byRule: false }],
  model: { state: 'not_configured', model: null, usage: { calls: 0, inputTokens: 0, outputTokens: 0 }, failure: null, note: '' },
  ...more,
});

export interface RoundGiven {
  readonly head: string;
  readonly report: ReviewReport;
  readonly steps?: readonly ThreadStep[];
}

export interface PostingWorld {
  readonly parts: StageParts;
  /** Makes the next attempt of a stage die there; null for none. */
  killAt(point: KillPoint | null): void;
  readonly effects: string[];
  /** A round that has come as far as posting; the work that posts it. */
  ready(round: number, given: RoundGiven): Promise<StageWork<Extract<StageWork['fact'], { type: 'PostRound' }>>>;
  /** Takes in what was posted, as the decider does. */
  record(results: readonly ReviewResult[]): void;
  dispatch(event: ReviewEvent): void;
  ledger(): ReviewListRow['ledger'];
}

export interface PostingPlace {
  readonly port: ForgePort;
  readonly account: ForgeAccount['identity'];
  readonly repository: { readonly owner: string; readonly name: string };
  readonly change: number;
  readonly more?: Partial<RegisteredRepository>;
}

export function postingWorld({ port, account, repository, change, more = {} }: PostingPlace): PostingWorld {
  const artifacts = new Map<string, Artifact>();
  const effects: string[] = [];
  let row: ReviewListRow | undefined;
  let page: ReviewPage | undefined;
  let point: KillPoint | null = null;
  let fence = 0;
  const coordinates = { forge: port.forge, origin: 'https://forge.example', repositoryId: null, repository, change };
  const registered = { path: repository, blockOn: null, observe: false, showCost: false, ...more } as RegisteredRepository;
  const parts: StageParts = {
    forge: async () => ({ port, repository: registered, account: { identity: account } as ForgeAccount }),
    views: { get: async () => (row === undefined || page === undefined ? undefined : { row, page }) },
    artifacts: {
      put: async artifact => void artifacts.set(artifact.id, artifact),
      get: async id => artifacts.get(id),
      sweep: async () => 0,
    },
    claims: memoryClaims(),
    effect: async (name, work) => {
      if (point?.effect === name && point.phase === 'before') throw new Killed(`before ${name}`);
      const done = await work();
      effects.push(name);
      if (point?.effect === name && point.phase === 'after') throw new Killed(`after ${name}`);
      return done;
    },
    now: () => Date.parse(at),
    random: () => 0.5,
    hash: text => text,
    sleep: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
  };
  const dispatch = (event: ReviewEvent): void => {
    row = reviewList(row, event);
    page = reviewPage(page, event);
  };
  const ready: PostingWorld['ready'] = async (round, { head, report, steps = [] }) => {
    const of = { reviewId, at, round, head, attempt: 1 };
    const content = `${reviewId}/${round}/report`;
    await parts.artifacts.put({ id: content, reviewId, kind: 'report', text: writeRoundContent({ report, steps }), expiresAt: null });
    const card = { number: change, title: 'A change', url: null, author: null, state: 'open', draft: false } as const;
    if (row?.round !== round) {
      const asked = { coordinates, change: card, cause: 'pushed', by: null, forced: false, observe: false, previousHead: null } as const;
      dispatch({ type: 'RoundRequested', ...of, ...asked });
      const findings = report.findings.map(({ id, rule, path, side, line, endLine, severity, category, fingerprint }) => ({
        ...{ id, rule, path, side, line, endLine, severity, category, fingerprint },
      }));
      const verdicts = steps.map(({ finding, verdict }) => ({ finding, verdict }));
      const reading = { full: 1, partial: 0, skipped: 0, byRule: 0 };
      const { headline, complete } = report;
      dispatch({ type: 'FindingsRecorded', ...of, headline, complete, reading, findings, verdicts, tracked: 0, content });
      dispatch({ type: 'PostingBegan', ...of, content });
    }
    fence += 1;
    return { fact: { type: 'PostRound', reviewId, round, head, attempt: 1, content }, fence: String(fence) } as Awaited<ReturnType<PostingWorld['ready']>>;
  };
  const record = (results: readonly ReviewResult[]): void => {
    for (const result of results) {
      if (result.type !== 'CommentsPosted') throw new Error(`the round was not posted: ${JSON.stringify(result)}`);
      const { findings, answers, summary, reviewId, round, head, attempt, at } = result;
      const of = { reviewId, round, head, attempt, at };
      dispatch({ type: 'RoundPosted', ...of, findings, answers, summary });
      dispatch({ type: 'RoundCompleted', ...of });
    }
  };
  return {
    ...{ parts, effects, ready, record, dispatch },
    killAt: next => {
      point = next;
    },
    ledger: () => row?.ledger ?? { rows: {}, pending: null },
  };
}
