/** An answer as the events of a Messages stream, where blocks come one after the other. */
import { type AnswerFrame, type AnswerWriter, namedEvent } from './answer-writer.ts';
import { messagesErrorBody } from './client-error.ts';
import { createTurns, type ItemEvent } from './in-turn.ts';
import type { JsonObject } from './json.ts';
import { isRedacted, messagesId, messagesStop, messagesUsage, signatureOf } from './messages-answer.ts';
import type { AnswerEvent, FinishEvent, OpenAnswer } from './stream-event.ts';
import { WRITE_USAGE } from './usage.ts';

export function createMessagesWriter(frame: AnswerFrame): AnswerWriter {
  const blocks = createBlocks(frame);
  const turns = createTurns(event => (event.key === undefined ? '' : blocks.write(event)));
  let id = frame.fallbackId;
  let started = false;

  const start = (usage: JsonObject | undefined): string => {
    if (started) return '';
    started = true;
    const counts = usage ?? { input_tokens: frame.estimatedInputTokens, output_tokens: 0 };
    const message = { id, type: 'message', role: 'assistant', model: frame.model, content: [], stop_reason: null, stop_sequence: null, usage: counts };
    return namedEvent('message_start', { type: 'message_start', message });
  };
  const finish = (event: FinishEvent): string => {
    const delta = { stop_reason: messagesStop(event, frame), stop_sequence: null };
    const usage = messagesUsage(event.usage, event.items, frame);
    return namedEvent('message_delta', { type: 'message_delta', delta, usage }) + namedEvent('message_stop', { type: 'message_stop' });
  };
  const write = (event: AnswerEvent): string => {
    switch (event.type) {
      case 'start':
        id = messagesId(event.id, frame);
        return start(event.usage === undefined ? undefined : WRITE_USAGE.messages(event.usage));
      case 'finish':
        return start(undefined) + turns.rest() + finish(event);
      case 'failure':
        return namedEvent('error', messagesErrorBody(event.failure));
      case 'open':
      case 'text':
      case 'refusal':
      case 'reasoning':
      case 'input':
      case 'close':
      case 'opaque':
        return start(undefined) + turns.take(event);
    }
  };
  return { write };
}

/** Blocks of one answer; each is started by its first text, so that an empty one leaves no trace. */
function createBlocks(frame: AnswerFrame): { write(event: ItemEvent): string } {
  let index = -1;
  let isOpen = false;
  const begin = (block: JsonObject): string => {
    if (isOpen) return '';
    isOpen = true;
    index += 1;
    return namedEvent('content_block_start', { type: 'content_block_start', index, content_block: block });
  };
  const add = (delta: JsonObject): string => namedEvent('content_block_delta', { type: 'content_block_delta', index, delta });
  const stop = (): string => {
    if (!isOpen) return '';
    isOpen = false;
    return namedEvent('content_block_stop', { type: 'content_block_stop', index });
  };
  const close = (item: OpenAnswer): string => {
    if (item.kind !== 'reasoning') return stop();
    if (isRedacted(item, frame)) return begin({ type: 'redacted_thinking', data: item.sealed?.value }) + stop();
    const signature = signatureOf(item.sealed, frame);
    return signature === '' ? stop() : begin(THINKING) + add({ type: 'signature_delta', signature }) + stop();
  };
  const opaque = (name: string, wire: JsonObject): string => {
    if (frame.upstream !== 'messages') return '';
    if (name === 'content_block_start') return begin(wire['content_block'] as JsonObject);
    return name === 'content_block_stop' ? stop() : namedEvent(name, { ...wire, index });
  };
  const write = (event: ItemEvent): string => {
    switch (event.type) {
      case 'open':
        return event.item.kind === 'call' ? begin({ type: 'tool_use', id: event.item.callId, name: event.item.tool.name, input: {} }) : '';
      case 'text':
      case 'refusal':
        return begin(TEXT) + add({ type: 'text_delta', text: event.text });
      case 'reasoning':
        return begin(THINKING) + add({ type: 'thinking_delta', thinking: event.text });
      case 'input':
        return add({ type: 'input_json_delta', partial_json: event.text });
      case 'close':
        return close(event.item);
      case 'opaque':
        return opaque(event.name, event.wire);
    }
  };
  return { write };
}

const TEXT = { type: 'text', text: '' } as const;
const THINKING = { type: 'thinking', thinking: '', signature: '' } as const;
