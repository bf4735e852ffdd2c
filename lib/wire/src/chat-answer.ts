/** The whole of a Chat Completions answer, and the words that it shares with the stream. */
import type { AnswerFrame } from './answer-writer.ts';
import { type JsonObject, present } from './json.ts';
import type { Answer, CallAnswer, FinishEvent, FinishReason, StartEvent } from './stream-event.ts';
import { WRITE_USAGE } from './usage.ts';

const FINISH: Readonly<Record<FinishReason, string>> = { stop: 'stop', tool_calls: 'tool_calls', length: 'length', refused: 'content_filter' };

/** The field that OpenCode, pi and most servers use for plain reasoning text. */
export const CHAT_REASONING_FIELD = 'reasoning_content';

export const chatFinish = ({ reason, native }: FinishEvent, { upstream }: AnswerFrame): string =>
  upstream === 'chat' ? (native ?? FINISH[reason]) : FINISH[reason];
export const chatId = (id: string, { upstream, fallbackId }: AnswerFrame): string => (id === '' ? fallbackId : upstream === 'chat' ? id : `chatcmpl_${id}`);

/** One call as a chat answer names it; a namespace has no form there, so the plan gives chat clients none. */
export const chatCall = ({ callId, tool, input }: CallAnswer): JsonObject =>
  tool.kind === 'custom'
    ? { id: callId, type: 'custom', custom: { name: tool.name, input } }
    : { id: callId, type: 'function', function: { name: tool.name, arguments: input } };

const textOf = (items: readonly Answer[], field: 'text' | 'refusal'): string => items.map(item => (item.kind === 'message' ? item[field] : '')).join('');

export function chatBody(start: StartEvent, finish: FinishEvent, frame: AnswerFrame): JsonObject {
  const reasoning = finish.items.flatMap(item => (item.kind === 'reasoning' ? [...item.summary, ...item.text] : [])).join('\n');
  const calls = finish.items.filter(item => item.kind === 'call').map(chatCall);
  const text = textOf(finish.items, 'text');
  const refusal = textOf(finish.items, 'refusal');
  const message = present({
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    [CHAT_REASONING_FIELD]: reasoning === '' ? undefined : reasoning,
    refusal: refusal === '' ? undefined : refusal,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
  return present({
    id: chatId(start.id, frame),
    object: 'chat.completion',
    created: start.created ?? frame.createdAt,
    model: frame.model,
    choices: [{ index: 0, message, finish_reason: chatFinish(finish, frame) }],
    usage: finish.usage === undefined ? undefined : WRITE_USAGE.chat(finish.usage),
  });
}
