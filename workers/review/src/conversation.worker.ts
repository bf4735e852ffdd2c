/**
 * Answers a comment (REV-26 to REV-28): the model's answer to a question, a description of the change, the help, a notice. It writes one
 * comment and nothing else: no answer resolves, approves or changes anything, whatever was asked. Running it twice posts once.
 */
import { renderAnswer, renderDescription, renderHelp, renderNotice } from '@weir/comment';
import type { AnswerKind, AnswerRefusalCode, ReviewResult } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { COMMENT_COMMANDS, MAX_TURNS } from '@weir/review';
import { askForProse } from './conversation-ask.ts';
import { type Answering, type AnswerWork, answering, askedPlace, conversationOf, forgeCall } from './conversation-asked.ts';
import { keyOf, postDescription, postInPlace, postOnce } from './conversation-post.ts';
import { changeTexts, questionTexts } from './conversation-prompt-texts.ts';
import { refusalIn } from './keep-answers.ts';
import type { PanelModel } from './run-panel.ts';
import { failureOf, instant, isFailure, reviewOf, type StageParts, type StageWork } from './stage.ts';

export interface ConversationParts extends StageParts {
  /** The deployment's model, whose calls are booked to the capability `conversation`. Throws AppError for what a gate refuses. */
  readonly model: (reviewId: string) => Promise<PanelModel>;
  /** New random letters and digits, 8 to 64. */
  readonly fence: () => string;
}

type Answer = (parts: ConversationParts, answer: Answering) => Promise<string>;

const placeOf = (answer: Answering) => ({ reviewId: answer.fact.reviewId, round: answer.review.row.round, finding: answer.fact.finding, key: keyOf(answer) });

const loginOf = ({ review }: Answering): string => review.forge.account.identity.login.replace(/\[bot\]$/, '');

/** A fixed text in the place of the comment. */
const fixed =
  (body: (answer: Answering) => string): Answer =>
  (_, answer) =>
    postOnce(answer, async takenOver => postInPlace(answer, await askedPlace(answer), takenOver, async () => body(answer)));

const dialectOf = ({ review }: Answering) => review.forge.port.dialect;

const help = fixed(
  answer =>
    renderHelp(
      {
        ...placeOf(answer),
        sentence: 'A comment may begin with one of these. What comes of each is on the timeline of the review.',
        commands: Object.values(COMMENT_COMMANDS),
      },
      dialectOf(answer),
    ).body,
);

const notice = (sentence: (answer: Answering) => string): Answer =>
  fixed(answer => renderNotice({ ...placeOf(answer), sentence: sentence(answer) }, dialectOf(answer)).body);

const readChange = (answer: Answering) => forgeCall(answer, 'the change', abort => answer.review.forge.port.ask('change.get', answer.on, abort));

const question: Answer = (parts, answer) =>
  postOnce(answer, async takenOver => {
    const place = await askedPlace(answer);
    return postInPlace(answer, place, takenOver, async () => {
      const asking = { model: await parts.model(answer.fact.reviewId), fence: parts.fence };
      const { prose, notes } = await askForProse(answer, asking, 'question', async room => questionTexts(answer, place, await readChange(answer), room));
      return renderAnswer({ ...placeOf(answer), prose, notes }, dialectOf(answer)).body;
    });
  });

const description: Answer = (parts, answer) =>
  postOnce(answer, async () => {
    const conversation = await conversationOf(answer);
    const change = await readChange(answer);
    if (change.head.commit === null) throw new AppError('FORGE_UNAVAILABLE', 'The forge does not name the head of the change.');
    const asking = { model: await parts.model(answer.fact.reviewId), fence: parts.fence };
    const { prose, notes } = await askForProse(answer, asking, 'description', room => changeTexts(answer, change, room));
    const { fact, review } = answer;
    const { body } = renderDescription({ reviewId: fact.reviewId, round: review.row.round, head: change.head.commit, prose, notes }, dialectOf(answer));
    return postDescription(answer, conversation, body);
  });

const ANSWERS: Readonly<Record<AnswerKind, Answer>> = {
  question,
  description,
  help,
  turn_notice: notice(answer => `Weir has answered ${MAX_TURNS} times in this thread and stops here. A comment that mentions ${loginOf(answer)} goes on.`),
  archived_notice: notice(() => 'This review is archived: nothing is started or answered here. An operator can restore it.'),
};

const aimOf = ({ reviewId, comment, attempt }: AnswerWork) => ({ reviewId, comment, attempt });

const refused = (parts: StageParts, fact: AnswerWork, code: AnswerRefusalCode, measurement: string): ReviewResult => ({
  type: 'AnswerWorkRefused',
  ...aimOf(fact),
  at: instant(parts.now()),
  code,
  measurement,
});

/** A named failure as a result; what a gate refuses is none, and leaves the round as it is (REV-31). */
function resultOf(parts: StageParts, fact: AnswerWork, error: AppError): ReviewResult {
  const code = refusalIn(error) ?? (error.code === 'MODEL_UNKNOWN' ? 'no_default_model' : undefined);
  if (code !== undefined) return refused(parts, fact, code, code === 'no_default_model' ? '' : error.message);
  return { type: 'AnswerWorkFailed', ...aimOf(fact), at: instant(parts.now()), ...failureOf(parts, error) };
}

/** The `run` of AnswerComment. Work whose answer is over, or in a later attempt, does nothing. An abort and a bug are thrown. */
export const answerComment =
  (parts: ConversationParts) =>
  async (work: StageWork<AnswerWork>, signal: AbortSignal): Promise<readonly ReviewResult[]> => {
    const { fact } = work;
    try {
      const review = await reviewOf(parts, fact.reviewId);
      const row = review.page.answers.find(({ comment }) => comment === fact.comment);
      if (row?.state !== 'granted' || row.attempt !== fact.attempt) return [];
      if (review.forge.repository.observe) return [refused(parts, fact, 'observed', '')];
      const posted = await ANSWERS[fact.kind](parts, answering(parts, work, review, signal));
      return [{ type: 'CommentAnswered', ...aimOf(fact), at: instant(parts.now()), posted }];
    } catch (error) {
      signal.throwIfAborted();
      if (!isFailure(error)) throw error;
      return [resultOf(parts, fact, error)];
    }
  };
