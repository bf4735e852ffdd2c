/** Rounds up to posting, in tests: a forge and stores in memory, views by folding events, and a model that answers from a list. */
import type { Change, ReviewEvent, ReviewWork, Verb, VerbArguments, VerbResult } from '@weir/contract';
import { createLosslessDecoder } from '@weir/diff';
import { AppError } from '@weir/kernel';
import type { Artifact, ForgeAccount, ForgePort, ModelAnswer, ModelPort, ModelRequest, RegisteredRepository } from '@weir/ports';
import { type ReviewListRow, reviewList, type ReviewPage, reviewPage } from '@weir/review';
import type { Specialist } from '@weir/specialist-kit';
import type { FetchParts } from './fetch-diff.worker.ts';
import type { GenerateParts } from './generate-review.worker.ts';
import { memoryClaims } from './posting.fixture.ts';
import type { FeedDiff } from './read-change.ts';
import type { RoundSettings } from './round-settings.ts';
import type { StageWork } from './stage.ts';

export const reviewId = 'cd'.repeat(32);
export const first = 'a'.repeat(40);
export const second = 'b'.repeat(40);
const base = 'c'.repeat(40);
export const start = Date.parse('2026-01-31T08:00:00.000Z');
const author = { id: '7', login: 'kim', kind: 'person' } as const;
const self = { id: '99', login: 'weir', kind: 'bot' } as const;
const repository = { owner: 'acme', name: 'ledger' };

export const diffOf = (path: string, ...added: readonly string[]): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,${added.length + 1} @@\n one\n${added.map(line => `+${line}\n`).join('')}`;

type Handlers = { [V in Verb]?: (args: VerbArguments<V>, signal: AbortSignal) => VerbResult<V> | Promise<VerbResult<V>> };

export const notFound = (): never => {
  throw new AppError('FORGE_NOT_FOUND', 'there is no such object');
};

/** Verbs without a handler are not supported. */
export function memoryForge(handlers: Handlers, drops: (verb: Verb) => boolean = () => false): ForgePort & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    forge: 'memory',
    dialect: {} as ForgePort['dialect'],
    namesThreads: true,
    supports: verb => handlers[verb] !== undefined,
    ask: async (verb, args, signal) => {
      asked.push(verb);
      const handler = handlers[verb] as ((args: unknown, signal: AbortSignal) => Promise<never>) | undefined;
      if (handler === undefined) throw new AppError('NOT_AVAILABLE', `${verb} is not supported`);
      return handler(structuredClone(args), signal);
    },
    forModel: async (verb, value) => (drops(verb) ? { text: '', value: null, dropped: 1 } : { text: JSON.stringify(value), value, dropped: 0 }),
  };
}

export const changeOf = (more: Partial<Change> = {}): Change => ({
  ...{ id: '1', number: 7, title: 'Add a ledger', body: '', url: 'https://forge.example/7', state: 'open', draft: false, author, labels: [] },
  head: { branch: 'ledger', commit: first, repository: { id: '1', ...repository } },
  base: { branch: 'main', commit: base, repository: { id: '1', ...repository } },
  ...{ mergeBase: base, mergeable: null, createdAt: '2026-01-31T07:00:00.000Z', updatedAt: '2026-01-31T07:00:00.000Z' },
  ...more,
});

export const specialist = (key: string, review: Partial<Specialist['review']> = { prompt: { instructions: `Judge ${key}.` } }): Specialist => ({
  ...{ key, title: key, routingHint: key },
  review: { dimensions: [], appliesTo: () => true, rules: [], ...review },
});

export const settingsOf = (more: Partial<RoundSettings> = {}): RoundSettings => ({
  specialists: [specialist('correctness')],
  ...{ maxFileBytes: 1_000_000, maxDiffBytes: 64_000_000, maxFindings: 1_000, rulesFiles: ['.weir/rules.md'] },
  ignore: { exclude: [], titles: [], branches: [], authors: [], labels: [], generated: true },
  refused: [],
  ...more,
});

export const feed: FeedDiff = async (bytes, target) => {
  const decoder = createLosslessDecoder();
  for await (const chunk of bytes) target.push(decoder.push(chunk));
  target.push(decoder.end());
};

export const answered = (value: unknown, more: Partial<ModelAnswer> = {}): ModelAnswer => ({
  ...{ text: typeof value === 'string' ? value : JSON.stringify(value), finish: 'stop', model: 'm-1', inputTokens: 10, outputTokens: 2 },
  ...more,
});
export const findings = (...list: readonly { readonly path: string; readonly line: number; readonly title: string }[]): unknown => ({
  findings: list.map(one => ({ ...one, severity: 'major', message: `${one.title}, told at length.` })),
});

export interface MemoryModel extends ModelPort {
  readonly requests: ModelRequest[];
}
/** Answers in order; the last one stays. Reconcile calls are told by their schema. */
export function memoryModel(answers: readonly (ModelAnswer | Error)[]): MemoryModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    complete: async request => {
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer is left');
      return answer;
    },
  };
}

export const limits = { contextTokens: 128_000, maxOutputTokens: 1_000, maxCalls: 4 };

export interface RoundWorld {
  readonly parts: GenerateParts & FetchParts;
  readonly artifacts: Map<string, Artifact>;
  readonly effects: string[];
  readonly clock: { now: number };
  dispatch(event: ReviewEvent): void;
  /** Asks for a round and gives the work of a stage of it. */
  request(round: number, head: string, previousHead: string | null): void;
  work<Type extends ReviewWork['type']>(
    type: Type,
    more: Omit<Extract<ReviewWork, { type: Type }>, 'type' | 'reviewId'>,
  ): StageWork<Extract<ReviewWork, { type: Type }>>;
}

/** Never wakes; rejects when the signal is aborted. */
const endless = (_: number, signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));

export function roundWorld(port: ForgePort, more: Partial<GenerateParts & FetchParts> = {}): RoundWorld {
  const artifacts = new Map<string, Artifact>();
  const effects: string[] = [];
  const clock = { now: start };
  let row: ReviewListRow | undefined;
  let page: ReviewPage | undefined;
  const parts: GenerateParts & FetchParts = {
    forge: async () => ({ port, repository: { path: repository } as RegisteredRepository, account: { identity: self } as ForgeAccount }),
    views: { get: async () => (row === undefined || page === undefined ? undefined : { row, page }) },
    artifacts: {
      put: async artifact => void (artifacts.has(artifact.id) || artifacts.set(artifact.id, artifact)),
      get: async id => artifacts.get(id),
      sweep: async () => 0,
    },
    claims: memoryClaims(),
    effect: async (name, work) => {
      const done = await work();
      effects.push(name);
      return done;
    },
    now: () => clock.now,
    random: () => 0.5,
    hash: text =>
      [...text]
        .reduce((sum, letter) => (sum * 31n + BigInt(letter.codePointAt(0) ?? 0)) % (1n << 256n), 7n)
        .toString(16)
        .padStart(64, '0'),
    sleep: endless,
    weir: '0.1.0',
    feed,
    fence: () => 'fence0123456789',
    settingsFor: async () => settingsOf(),
    modelFor: async () => null,
    changeLimits: { changedFiles: null, diffBytes: null },
    diffLimits: { maxFileBytes: 1_000_000, maxDiffBytes: 64_000_000 },
    ...more,
  };
  const dispatch = (event: ReviewEvent): void => {
    row = reviewList(row, event);
    page = reviewPage(page, event);
  };
  const coordinates = { forge: 'memory', origin: 'https://forge.example', repositoryId: null, repository, change: 7 };
  const card = { number: 7, title: 'Add a ledger', url: null, author, state: 'open', draft: false } as const;
  return {
    ...{ parts, artifacts, effects, clock, dispatch },
    request: (round, head, previousHead) => {
      const asked = { coordinates, change: card, cause: 'pushed', by: null, forced: false, observe: false, previousHead } as const;
      dispatch({ type: 'RoundRequested', reviewId, at: new Date(start).toISOString(), round, head, attempt: 1, ...asked });
    },
    work: (type, fact) =>
      ({ fact: { type, reviewId, ...fact }, envelope: { time: new Date(start).toISOString() }, fence: '1' }) as unknown as ReturnType<
        RoundWorld['work']
      > as never,
  };
}
