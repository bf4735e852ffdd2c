/** The timeline of a review: one line an event, in words. Text of models, and of people beyond their login, is not in it. */
import { type AnswerKind, REVIEW_REFUSALS, type ReviewEvent } from '@weir/contract';
import { handle, type Handlers } from './handlers.ts';

export interface TimelineLine {
  readonly at: string;
  readonly type: ReviewEvent['type'];
  readonly round: number | null;
  readonly sentence: string;
}

const short = (commit: string): string => commit.slice(0, 7);
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const ASKED: Readonly<Record<AnswerKind, string>> = {
  question: 'asked a question',
  help: 'asked for /help',
  description: 'asked for a description',
  turn_notice: 'asked once more than the turns allow, and gets the one notice',
  archived_notice: 'asked the archived review, and gets the one notice',
};
const ANSWERED: Readonly<Record<AnswerKind, string>> = {
  question: 'An answer',
  help: 'The help',
  description: 'The description',
  turn_notice: 'The notice of spent turns',
  archived_notice: 'The notice of the archive',
};
const where = (finding: string | null): string => (finding === null ? '' : ` in the thread of ${finding}`);

const SENTENCES: Handlers<ReviewEvent, null, string> = {
  RoundRequested: ({ round, head, cause, forced }) => `Round ${round} at ${short(head)}: ${cause}${forced ? ', forced' : ''}.`,
  RequestDropped: ({ code }) => `Nothing was started. ${REVIEW_REFUSALS[code].sentence}`,
  RoundBegan: ({ attempt }) => (attempt === 1 ? 'Reading the change.' : `Reading the change again, attempt ${attempt}.`),
  DiffRecorded: ({ diff }) =>
    `Read the diff: ${counted(diff.files, 'file', 'files')}, +${diff.addedLines} −${diff.removedLines}${diff.truncated ? ', cut' : ''}.`,
  ContextRecorded: ({ missing }) =>
    missing.length === 0 ? 'Gathered the context.' : `Gathered the context without ${missing.map(({ source, reason }) => `${source} (${reason})`).join(', ')}.`,
  FindingsRecorded: ({ findings, tracked, complete }) =>
    `Found ${counted(findings.length, 'finding', 'findings')}${tracked > 0 ? `, and ${tracked} that earlier ones stand for` : ''}${complete ? '' : '; not everything was read'}.`,
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
  AnswerGranted: ({ kind, by, finding, lifted }) => `${by.login} ${ASKED[kind]}${where(finding)}${lifted ? ', past the turns, by a mention' : ''}.`,
  AnswerPosted: ({ kind, finding }) => `${ANSWERED[kind]}${where(finding)} is posted.`,
  AnswerRefused: ({ kind, finding, code, measurement }) =>
    `${ANSWERED[kind]}${where(finding)} was refused. ${REVIEW_REFUSALS[code].sentence}${measurement === '' ? '' : ` Measured: ${measurement}.`}`,
  AnswerRetried: ({ failure, sentence, attempt, delaySeconds }) => `${failure}: ${sentence} Attempt ${attempt} of the answer starts in ${delaySeconds} s.`,
  AnswerFailed: ({ kind, finding, failure, sentence }) => `${ANSWERED[kind]}${where(finding)} failed with ${failure}: ${sentence}`,
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
