/**
 * One answer, collected from what arrives: stream chunks (`delta`) or one whole completion (`message`).
 * Both carry the same fields, so an endpoint that ignores `stream` needs no branch of its own.
 */
import type { Known } from '@weir/contract';
import type { ModelAnswer } from '@weir/ports';
import { field, stringField } from './json-field.ts';

/** Reasons that mean something here; every other one is `other`, and so is a stream that ends without one. */
const FINISH: Readonly<Record<string, ModelAnswer['finish']>> = { stop: 'stop', length: 'length', content_filter: 'refused' };

export interface AnswerDraft {
  /** False when the payload is neither a chunk nor a completion. */
  readonly take: (payload: unknown) => boolean;
  /** True once a part of the answer is there: it has been paid for and is worth keeping. */
  readonly started: () => boolean;
  /** @param model the name to report when the endpoint gave none. */
  readonly answer: (model: string) => ModelAnswer;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(part => stringField(part, 'text') ?? '').join('') : '';
}

function countOf(usage: unknown, name: string): Known<number> {
  const count = field(usage, name);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 'unknown';
}

/** The first choice; further ones are not asked for. */
const firstChoice = (choices: readonly unknown[]) => choices.find(choice => (field(choice, 'index') ?? 0) === 0);

const finishOf = (reason: string, refused: boolean): ModelAnswer['finish'] =>
  refused ? 'refused' : ((Object.hasOwn(FINISH, reason) ? FINISH[reason] : undefined) ?? 'other');

export function createAnswerDraft(): AnswerDraft {
  const text: string[] = [];
  const refusal: string[] = [];
  let reason: string | undefined;
  let model: string | undefined;
  let usage: unknown;

  function take(payload: unknown): boolean {
    const choices = field(payload, 'choices');
    // Some endpoints send the counts in a chunk of their own, some in each chunk: the last one holds.
    usage = field(payload, 'usage') ?? usage;
    model = stringField(payload, 'model') || model;
    if (!Array.isArray(choices)) return false;
    const choice = firstChoice(choices);
    const part = field(choice, 'delta') ?? field(choice, 'message');
    text.push(textOf(field(part, 'content')));
    refusal.push(stringField(part, 'refusal') ?? '');
    reason = stringField(choice, 'finish_reason') ?? reason;
    return true;
  }

  return {
    take,
    started: () => reason !== undefined || text.some(Boolean) || refusal.some(Boolean),
    answer: asked => {
      const refused = refusal.join('');
      return {
        text: text.join('') || refused,
        finish: finishOf(reason ?? '', refused !== ''),
        model: model ?? asked,
        inputTokens: countOf(usage, 'prompt_tokens'),
        outputTokens: countOf(usage, 'completion_tokens'),
      };
    },
  };
}
