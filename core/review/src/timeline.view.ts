/** The timeline of a review: one line an event, in words. Text of models, and of people beyond their login, is not in it. */
import { REVIEW_REFUSALS, type ReviewEvent } from '@weir/contract';
import { handle, type Handlers } from './handlers.ts';

export interface TimelineLine {
  readonly at: string;
  readonly type: ReviewEvent['type'];
  readonly round: number | null;
  readonly sentence: string;
}

const short = (commit: string): string => commit.slice(0, 7);
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const SENTENCES: Handlers<ReviewEvent, null, string> = {
  RoundRequested: ({ round, head, cause, forced }) => `Round ${round} at ${short(head)}: ${cause}${forced ? ', forced' : ''}.`,
  RequestDropped: ({ code }) => `Nothing was started. ${REVIEW_REFUSALS[code].sentence}`,
  RoundBegan: ({ attempt }) => (attempt === 1 ? 'Reading the change.' : `Reading the change again, attempt ${attempt}.`),
  DiffRecorded: ({ diff }) =>
    `Read the diff: ${counted(diff.files, 'file', 'files')}, +${diff.addedLines} −${diff.removedLines}${diff.truncated ? ', cut' : ''}.`,
  ContextRecorded: ({ missing }) =>
    missing.length === 0 ? 'Gathered the context.' : `Gathered the context without ${missing.map(({ source, reason }) => `${source} (${reason})`).join(', ')}.`,
  FindingsRecorded: ({ findings, tracked, complete }) =>
    `Found ${counted(findings.length, 'finding', 'findings')}${tracked > 0 ? `, and ${tracked} that open threads track` : ''}${complete ? '' : '; not everything was read'}.`,
  PostingBegan: () => 'Posting.',
  RoundPosted: ({ findings, answers }) => `Posted ${counted(findings.length, 'finding', 'findings')} and ${counted(answers.length, 'answer', 'answers')}.`,
  RoundCompleted: ({ round }) => `Round ${round} is completed.`,
  RoundObserved: ({ round }) => `Round ${round} was observed; nothing was posted.`,
  RoundRefused: ({ code, measurement }) => `Refused. ${REVIEW_REFUSALS[code].sentence}${measurement === '' ? '' : ` Measured: ${measurement}.`}`,
  RoundFailed: ({ failure, sentence }) => `Failed with ${failure}: ${sentence}`,
  RoundRetried: ({ failure, sentence, attempt, delaySeconds }) => `${failure}: ${sentence} Attempt ${attempt} starts in ${delaySeconds} s.`,
  RoundCancelled: ({ head, because }) => `Cancelled at ${short(head)}: ${because === 'operator' ? 'by an operator' : `the change was ${because}`}.`,
  RoundSuperseded: ({ head, by }) => `${short(head)} is superseded by ${short(by)}.`,
  ChangeNoted: ({ change }) => `The change is ${change.state}${change.draft ? ', a draft' : ''}.`,
  ReviewArchived: () => 'Archived.',
  ReviewRestored: () => 'Restored from the archive.',
  ArchivedNoticeGranted: () => 'A question came to the archived review; it gets the one notice.',
  FindingDismissed: ({ finding, by }) => `${by.login} dismissed ${finding}.`,
  FindingAdded: ({ finding, by }) => `${by.login} added ${finding.id}.`,
  ThreadSettled: ({ finding, resolved, by }) => `${by.login} ${resolved ? 'resolved' : 'reopened'} the thread of ${finding}.`,
};

export const timelineLine = (event: ReviewEvent): TimelineLine => ({
  at: event.at,
  type: event.type,
  round: 'round' in event ? event.round : null,
  sentence: handle(SENTENCES, event, null),
});
