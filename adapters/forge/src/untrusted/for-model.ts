/**
 * The one door through which a provider's text reaches a model (PRV-20): filtered under lockdown, hidden characters made visible,
 * imitated fences marked, bounded, and inside one fence.
 */
import { randomBytes } from 'node:crypto';
import type { ProviderDescriptor, Verb, VerbResult } from '@weir/contract';
import { fenced, neutralised, visibleText } from '@weir/prompt';
import { type AskVerb, type Author, type DropReason, type JudgeContext, judgeAuthors, MAX_AUTHORS } from './author-judge.ts';
import { boundedJson, type CutCounts } from './bounded-json.ts';
import { CONTENT_AUTHORS, type ModelSubject } from './content-authors.ts';
import { type DroppedContent, lockDown, type LockedDown } from './lock-down.ts';

export interface ModelTextOptions extends JudgeContext {
  /** Who wrote content that names nobody, where the caller knows: the author of the change whose diff it is. */
  readonly author?: Author;
  /** Characters of the text, at least 2,000. */
  readonly limit?: number;
}

export interface ModelText<Value> {
  /**
   * What the model reads: notes of Weir, one a line, then the value as one fenced block. The whole JSON is inside the fence, keys too: the
   * keys of a raw answer are the vendor's, and one block is one border, where a fence around each text would be hundreds. Without its first
   * and last line the block parses. A value that is a text stands in it as it is. With `off` there is no fence.
   */
  readonly text: string;
  /** The value without what was dropped, else untouched, for a prompt's slot, which fences by itself; null where all was dropped. */
  readonly value: Value | null;
  readonly dropped: readonly DroppedContent[];
  readonly cut: CutCounts;
}

export interface ForModel {
  /** Of a verb's result. */
  <V extends Verb>(verb: V, value: VerbResult<V>, options: ModelTextOptions): Promise<ModelText<VerbResult<V>>>;
  /**
   * Of anything else: the value of a call's answer, entries of a page, an event; or a failure. Under lockdown an answer is dropped
   * unless `author` is given and may push.
   */
  (subject: 'answer' | 'failure', value: unknown, options: ModelTextOptions): Promise<ModelText<unknown>>;
}

export interface ForModelParts {
  readonly descriptor: ProviderDescriptor;
  readonly fence?: (() => string) | undefined;
  readonly ask: AskVerb;
}

/** About 15,000 tokens. */
export const MODEL_TEXT_LIMIT = 60_000;
const LEAST_LIMIT = 2_000;
const FENCE_BYTES = 16;

/** Begins with a letter, so that no number of the JSON can hold it and be marked. */
const newFence = (): string => `w${randomBytes(FENCE_BYTES).toString('hex')}`;

const WHY: Readonly<Record<DropReason, string>> = {
  'no-push-access': 'the author has no push access',
  'lookup-failed': 'the access of the author could not be looked up',
  'lookup-unsupported': 'this provider cannot tell who has push access, so only text of the acting account is shown',
  'too-many-authors': `only ${MAX_AUTHORS} authors are looked up`,
  'author-unknown': 'the author is not known',
};

/** The door. Throws RangeError for a limit that is too small; an aborted signal throws its reason. */
export const createForModel = ({ descriptor, fence = newFence, ask }: ForModelParts): ForModel => {
  const { name, policy } = descriptor;
  const isFenced = policy.untrusted_content !== 'off';

  return async <Value>(subject: ModelSubject, value: Value, { author, limit = MODEL_TEXT_LIMIT, ...context }: ModelTextOptions): Promise<ModelText<Value>> => {
    if (!Number.isSafeInteger(limit) || limit < LEAST_LIMIT) throw new RangeError(`the limit of a text for a model is a whole number from ${LEAST_LIMIT}`);
    const left: LockedDown =
      policy.untrusted_content === 'lockdown'
        ? await lockDown(CONTENT_AUTHORS[subject], value, author ?? null, authors => judgeAuthors(ask, authors, context))
        : { value, dropped: [] };
    const word = fence();
    const { text, cut } = boundedJson(left.value, {
      limit,
      clean: isFenced ? dirty => neutralised(visibleText(dirty)) : visibleText,
      finish: (json, counts) => [...notesOf(left.dropped, counts), isFenced ? fenced(`${name}:${subject}`, json, word) : json].join('\n'),
    });
    return { text, value: left.value as Value | null, dropped: left.dropped, cut };
  };
};

/** Sentences of Weir alone: they stand outside the fence, so nothing of the vendor's is in them. */
function notesOf(dropped: readonly DroppedContent[], cut: CutCounts): readonly string[] {
  const reasons = new Map<DropReason, number>();
  for (const { reason, count } of dropped) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  const notes = [...reasons].map(([reason, count]) => `[weir: lockdown, ${count} dropped: ${WHY[reason]}]`);
  const cuts = Object.entries(cut).flatMap(([kind, count]: readonly [string, number]) => (count === 0 ? [] : `${kind}: ${count}`));
  return cuts.length === 0 ? notes : [...notes, `[weir: cut to fit (${cuts.join(', ')}); each cut says so in its place]`];
}
