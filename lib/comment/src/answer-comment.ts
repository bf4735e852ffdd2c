/** What Weir says to a person's comment: an answer of the model, a description of the change, the help, a notice (REV-26 to REV-28). */
import { type Block, code, type Dialect, type Inline, type RenderedComment, sentence, text } from './comment-document.ts';
import { SHORT_COMMIT } from './follow-up-reply.ts';
import { type Marker, reviewTag } from './marker.ts';
import { printDocument } from './print-document.ts';
import { readProse } from './read-prose.ts';

/** Which comment is answered, for the mark. */
export interface AnswerPlace {
  readonly reviewId: string;
  readonly round: number;
  /** Null where it stands outside the thread of a finding. */
  readonly finding: string | null;
  /** `commentKey` of the comment. */
  readonly key: string;
}

export interface AnswerFacts extends AnswerPlace {
  /** Prose of the model. */
  readonly prose: string;
  /** Weir's own: what was cut; none for most. */
  readonly notes: readonly string[];
}

export interface DescriptionFacts extends Omit<AnswerFacts, 'finding' | 'key'> {
  /** Commit that was read. */
  readonly head: string;
}

export interface HelpFacts extends AnswerPlace {
  readonly commands: readonly { readonly form: string; readonly says: string }[];
  /** Weir's own. */
  readonly sentence: string;
}

export interface NoticeFacts extends AnswerPlace {
  /** Weir's own. */
  readonly sentence: string;
}

const markOf = (kind: Marker['kind'], { reviewId, round, finding, key }: AnswerPlace): Marker => ({ kind, review: reviewTag(reviewId), round, finding, key });

const print = (marker: Marker, blocks: readonly Block[], footer: readonly Inline[], dialect: Dialect): RenderedComment =>
  printDocument({ marker, blocks, footer, whole: null }, dialect);

const noted = (notes: readonly string[]): readonly Block[] => notes.map(note => sentence(text(note)));

export const renderAnswer = (facts: AnswerFacts, dialect: Dialect): RenderedComment =>
  print(markOf('answer', facts), [...readProse(facts.prose), ...noted(facts.notes)], [], dialect);

/** One comment for a change, rewritten in place. */
export const renderDescription = (facts: DescriptionFacts, dialect: Dialect): RenderedComment =>
  print(
    markOf('description', { ...facts, finding: null, key: facts.head }),
    [...readProse(facts.prose), ...noted(facts.notes)],
    [text('Description at '), code(facts.head.slice(0, SHORT_COMMIT)), text(', written by a model')],
    dialect,
  );

export const renderHelp = (facts: HelpFacts, dialect: Dialect): RenderedComment =>
  print(
    markOf('notice', facts),
    [sentence(text(facts.sentence)), { kind: 'list', items: facts.commands.map(({ form, says }) => [code(form), text(` ${says}`)]) }],
    [],
    dialect,
  );

/** A fixed sentence that is said once: the review is archived, the turns of a thread are spent. */
export const renderNotice = (facts: NoticeFacts, dialect: Dialect): RenderedComment =>
  print(markOf('notice', facts), [sentence(text(facts.sentence))], [], dialect);
