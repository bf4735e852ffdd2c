/** The whole of a Messages answer, and the words that it shares with the stream. */
import type { AnswerFrame } from './answer-writer.ts';
import type { Sealed } from './item.ts';
import type { JsonObject } from './json.ts';
import { sealFor, SEAL_PROTOCOL } from './sealed.ts';
import type { Answer, FinishEvent, FinishReason, ReasoningAnswer, StartEvent } from './stream-event.ts';
import { type TokenUsage, WRITE_USAGE } from './usage.ts';
import { argumentsObject } from './write-call.ts';

const STOP: Readonly<Record<FinishReason, string>> = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', refused: 'refusal' };
/** Characters of one token, for figures that no upstream gave. */
const CHARS_PER_TOKEN = 4;

export const messagesStop = ({ reason, native }: FinishEvent, { upstream }: AnswerFrame): string =>
  upstream === 'messages' ? (native ?? STOP[reason]) : STOP[reason];
export const messagesId = (id: string, { upstream, fallbackId }: AnswerFrame): string => (id === '' ? fallbackId : upstream === 'messages' ? id : `msg_${id}`);

/** The signature that a client carries back: the upstream's own, or a seal of ours around another protocol's. */
export function signatureOf(sealed: Sealed | undefined, { upstream, route }: AnswerFrame): string {
  if (sealed === undefined) return '';
  return upstream === 'messages' && SEAL_PROTOCOL[sealed.form] === 'messages' ? sealed.value : sealFor(sealed, route);
}

export const isRedacted = ({ sealed }: Pick<ReasoningAnswer, 'sealed'>, { upstream }: AnswerFrame): boolean =>
  sealed?.form === 'redacted' && upstream === 'messages';

/** Usage for the last event. The protocol demands figures; where the upstream gives none they are estimates, for the client only. */
export function messagesUsage(usage: TokenUsage | undefined, items: readonly Answer[], { estimatedInputTokens }: AnswerFrame): JsonObject {
  if (usage !== undefined) return WRITE_USAGE.messages(usage);
  const characters = items.reduce((sum, item) => sum + sizeOf(item), 0);
  return { input_tokens: estimatedInputTokens, output_tokens: Math.max(1, Math.ceil(characters / CHARS_PER_TOKEN)) };
}

function sizeOf(item: Answer): number {
  if (item.kind === 'message') return item.text.length + item.refusal.length;
  if (item.kind === 'reasoning') return [...item.summary, ...item.text].join('').length;
  return item.kind === 'call' ? item.input.length : 0;
}

export function messagesBody(start: StartEvent, finish: FinishEvent, frame: AnswerFrame): JsonObject {
  return {
    id: messagesId(start.id, frame),
    type: 'message',
    role: 'assistant',
    model: frame.model,
    content: finish.items.flatMap(item => blocks(item, frame)),
    stop_reason: messagesStop(finish, frame),
    stop_sequence: null,
    usage: messagesUsage(finish.usage, finish.items, frame),
  };
}

function blocks(item: Answer, frame: AnswerFrame): readonly JsonObject[] {
  switch (item.kind) {
    case 'message':
      return item.text + item.refusal === '' ? [] : [{ type: 'text', text: item.text + item.refusal }];
    case 'reasoning':
      return isRedacted(item, frame)
        ? [{ type: 'redacted_thinking', data: item.sealed?.value }]
        : [{ type: 'thinking', thinking: [...item.summary, ...item.text].join('\n'), signature: signatureOf(item.sealed, frame) }];
    case 'call':
      return [{ type: 'tool_use', id: item.callId, name: item.tool.name, input: argumentsObject(item.input) }];
    case 'opaque':
      return frame.upstream === 'messages' ? [item.wire] : [];
  }
}
