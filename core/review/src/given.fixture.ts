/** Tests of the review decider read as given, when, and what comes of it. */
import type { ChangeCard, FindingCoordinates, ReviewCommand, ReviewEvent, ReviewEventOf } from '@weir/contract';
import { reviewLifecycle } from './review-lifecycle.decider.ts';
import type { ReviewState } from './review-state.ts';

export const reviewId = 'ab'.repeat(16);
export const at = '2026-01-31T08:00:00Z';
export const a1 = 'a1'.repeat(20);
export const b2 = 'b2'.repeat(20);
export const c3 = 'c3'.repeat(20);

export const kim = { id: '7', login: 'kim', kind: 'person' } as const;
export const coordinates = { forge: 'forge', origin: 'https://forge.example', repositoryId: '12', repository: { owner: 'team', name: 'shop' }, change: 3 };
export const openChange: ChangeCard = { number: 3, title: 'Add a ledger', url: null, author: kim, state: 'open', draft: false };

export const stateAfter = (...events: readonly ReviewEvent[]): ReviewState => events.reduce(reviewLifecycle.evolve, reviewLifecycle.initial);

/** The events of an accepted command, or the code of its refusal. */
export const given = (...events: readonly ReviewEvent[]) => ({
  when: (command: ReviewCommand): readonly ReviewEvent[] | string => {
    const outcome = reviewLifecycle.decide(command, stateAfter(...events));
    return outcome.kind === 'accepted' ? outcome.events : outcome.refusal.code;
  },
});

const round = (head: string, number: number, attempt = 1) => ({ reviewId, at, round: number, head, attempt });

export const requested = (head = a1, number = 1, more: Partial<ReviewEventOf<'RoundRequested'>> = {}): ReviewEvent => ({
  type: 'RoundRequested',
  ...round(head, number),
  coordinates,
  change: openChange,
  cause: 'opened',
  by: '7',
  forced: false,
  observe: false,
  previousHead: null,
  ...more,
});

export const finding = (id: string, more: Partial<FindingCoordinates> = {}): FindingCoordinates => ({
  id,
  rule: 'correctness/order',
  path: 'src/ledger.ts',
  side: 'new',
  line: 42,
  endLine: 42,
  severity: 'major',
  category: 'correctness',
  fingerprint: `f-${id}`,
  ...more,
});

export const diff = { files: 1, addedLines: 2, removedLines: 1, bytes: 100, truncated: false, renames: [] };
const reading = { full: 1, partial: 0, skipped: 0, byRule: 0 };

export const recorded = (head: string, number: number, more: Partial<ReviewEventOf<'FindingsRecorded'>> = {}): ReviewEventOf<'FindingsRecorded'> => ({
  type: 'FindingsRecorded',
  ...round(head, number),
  headline: 'Not ready: 1 major.',
  complete: true,
  reading,
  findings: [finding(`${number}a`)],
  verdicts: [],
  tracked: 0,
  content: 'artifact-1',
  ...more,
});

/** Events of a round up to the named stage, without its request. */
export function upTo(stage: 'fetching' | 'gathering' | 'generating' | 'posting', head = a1, number = 1, observe = false): readonly ReviewEvent[] {
  const of = round(head, number);
  const steps: readonly (readonly ReviewEvent[])[] = [
    [{ type: 'RoundBegan', ...of }],
    [{ type: 'DiffRecorded', ...of, diff }],
    [{ type: 'ContextRecorded', ...of, context: null, missing: [] }],
    [recorded(head, number), ...(observe ? [] : [{ type: 'PostingBegan', ...of, content: 'artifact-1' } as const])],
  ];
  return steps.slice(0, ['fetching', 'gathering', 'generating', 'posting'].indexOf(stage) + 1).flat();
}

export const thread = (id: string) => ({ id, root: id, review: null, path: 'src/ledger.ts', side: 'new', line: 42 }) as const;

/** A whole round that posts the finding `<number>a`. */
export const completed = (head = a1, number = 1): readonly ReviewEvent[] => [
  requested(head, number),
  ...upTo('posting', head, number),
  { type: 'RoundPosted', ...round(head, number), findings: [{ finding: `${number}a`, thread: thread(`t${number}`) }], answers: [], summary: 's1' },
  { type: 'RoundCompleted', ...round(head, number) },
];

export const aimed = (head = a1, number = 1, attempt = 1) => round(head, number, attempt);
export const request = (head = a1, more: Partial<Extract<ReviewCommand, { type: 'RequestRound' }>> = {}): ReviewCommand => ({
  type: 'RequestRound',
  reviewId,
  at,
  head,
  coordinates,
  change: openChange,
  cause: 'pushed',
  by: '7',
  forced: false,
  observe: false,
  ...more,
});

const asked = { reviewId, at, comment: 'c1', by: kim, finding: '1a', thread: 't1', coordinates, change: openChange };
/** A question in the thread of `1a`, unless it says otherwise. */
export const ask = (more: Partial<Extract<ReviewCommand, { type: 'RequestAnswer' }>> = {}): ReviewCommand => ({
  type: 'RequestAnswer',
  ...asked,
  kind: 'question',
  mentioned: false,
  ...more,
});
export const noteQuestion: ReviewCommand = { type: 'NoteQuestion', ...asked };
