/** One answer in the two forms of the protocol: a whole completion, and the chunks of a stream. */
import type { Mode } from './modes.ts';
import { type ScriptedRequest, textOf } from './request-schema.ts';

export interface Completion {
  readonly id: string;
  readonly model: string;
  /** Null where the mode sends none. */
  readonly content: string | null;
  readonly finish: string | null;
  readonly refusal: string | null;
  readonly parts: boolean;
  readonly usage: Usage | undefined;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** A count that anybody can check: four characters are a token. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** Fixed, so that two runs are alike. */
const CREATED = 1_700_000_000;
const CHUNK_CHARACTERS = 60;

export function complete(request: ScriptedRequest, mode: Mode, answer: string, id: string): Completion {
  const scripted = mode.content === undefined ? answer : mode.content(answer);
  const cap = request.max_tokens ?? request.max_completion_tokens ?? Number.POSITIVE_INFINITY;
  const capped = scripted !== null && tokensOf(scripted) > cap;
  const content = capped ? scripted.slice(0, cap * 4) : scripted;
  const prompt = tokensOf(textOf(request));
  const output = tokensOf(content ?? '');
  return {
    id,
    model: request.model,
    content,
    finish: capped ? 'length' : (mode.finish ?? null),
    refusal: mode.refusal ?? null,
    parts: mode.parts === true,
    usage: mode.usage === false ? undefined : { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output },
  };
}

const contentOf = ({ parts, content }: Completion) => (parts && content !== null ? [{ type: 'text', text: content }] : content);

/** The body of a reply that is not streamed. */
export function wholeReply(completion: Completion): string {
  const { id, model, finish, refusal, usage } = completion;
  const message = { role: 'assistant', content: contentOf(completion), refusal };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
  return JSON.stringify({ id, object: 'chat.completion', created: CREATED, model, choices, ...(usage === undefined ? {} : { usage }) });
}

/** The events of a stream, in order, without the final `[DONE]`; `half` is the number of events that hold half of the content. */
export function streamReply(completion: Completion, includeUsage: boolean): { readonly events: readonly string[]; readonly half: number } {
  const { id, model, finish, refusal, usage, content, parts } = completion;
  const event = (choices: readonly unknown[], counts: Usage | null) =>
    JSON.stringify({ id, object: 'chat.completion.chunk', created: CREATED, model, choices, ...(includeUsage ? { usage: counts } : {}) });
  const delta = (fields: object, reason: string | null = null) => event([{ index: 0, delta: fields, logprobs: null, finish_reason: reason }], null);
  const pieces = piecesOf(content ?? '').map(text => delta({ content: parts ? [{ type: 'text', text }] : text }));
  const events = [
    delta({ role: 'assistant', content: content === null ? null : '' }),
    ...pieces,
    ...(refusal === null ? [] : [delta({ refusal })]),
    delta({}, finish),
    ...(includeUsage && usage !== undefined ? [event([], usage)] : []),
  ];
  return { events, half: 1 + Math.ceil(pieces.length / 2) };
}

function piecesOf(text: string): readonly string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / CHUNK_CHARACTERS);
  return Array.from({ length: count }, (_, index) => characters.slice(index * CHUNK_CHARACTERS, (index + 1) * CHUNK_CHARACTERS).join(''));
}
