/** An answer as the chunks of a chat stream. Calls are numbered by their first appearance and keep their number. */
import { type AnswerFrame, type AnswerWriter, plainEvent } from './answer-writer.ts';
import { CHAT_REASONING_FIELD, chatFinish, chatId } from './chat-answer.ts';
import { chatErrorChunk } from './client-error.ts';
import type { JsonObject } from './json.ts';
import type { AnswerEvent, CallAnswer, FinishEvent, StartEvent } from './stream-event.ts';
import { WRITE_USAGE } from './usage.ts';

export function createChatWriter(frame: AnswerFrame): AnswerWriter {
  const head = { object: 'chat.completion.chunk', created: frame.createdAt, model: frame.model };
  const calls = new Map<number, { readonly index: number; readonly custom: boolean }>();
  let id = frame.fallbackId;
  let { created } = head;
  let started = false;

  const chunk = (choices: readonly JsonObject[], more: JsonObject = {}): string => plainEvent({ id, ...head, created, choices, ...more });
  const delta = (fields: JsonObject): string => chunk([{ index: 0, delta: fields, finish_reason: null }]);
  const start = (): string => {
    if (started) return '';
    started = true;
    return delta({ role: 'assistant', content: '' });
  };
  const openCall = (key: number, { callId, tool }: CallAnswer): string => {
    const custom = tool.kind === 'custom';
    const index = calls.size;
    calls.set(key, { index, custom });
    const inner = custom ? { type: 'custom', custom: { name: tool.name, input: '' } } : { type: 'function', function: { name: tool.name, arguments: '' } };
    return delta({ tool_calls: [{ index, id: callId, ...inner }] });
  };
  const input = (key: number, text: string): string => {
    const call = calls.get(key);
    if (call === undefined) return '';
    return delta({ tool_calls: [{ index: call.index, ...(call.custom ? { custom: { input: text } } : { function: { arguments: text } }) }] });
  };
  const finish = (event: FinishEvent): string => {
    const end = chunk([{ index: 0, delta: {}, finish_reason: chatFinish(event, frame) }]);
    const usage = frame.wantsUsage && event.usage !== undefined ? chunk([], { usage: WRITE_USAGE.chat(event.usage) }) : '';
    return `${end}${usage}data: [DONE]\n\n`;
  };
  const begin = (event: StartEvent): string => {
    id = chatId(event.id, frame);
    created = event.created ?? created;
    return start();
  };
  const write = (event: AnswerEvent): string => {
    switch (event.type) {
      case 'start':
        return begin(event);
      case 'open':
        return start() + (event.item.kind === 'call' ? openCall(event.key, event.item) : '');
      case 'text':
      case 'refusal':
      case 'reasoning':
        return delta({ [TEXT_FIELDS[event.type]]: event.text });
      case 'input':
        return input(event.key, event.text);
      case 'finish':
        return start() + finish(event);
      case 'failure':
        return plainEvent(chatErrorChunk(event.failure));
      case 'close':
      case 'opaque':
        return '';
    }
  };
  return { write };
}

const TEXT_FIELDS = { text: 'content', refusal: 'refusal', reasoning: CHAT_REASONING_FIELD } as const;
