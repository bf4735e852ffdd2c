/** Writes a reply in the words of Messages: the object whole, or the events that build it block by block. */
import type { PlannedCall, Reply, StreamEvent } from '../protocol.ts';
import { splitText } from '../split-text.ts';
import { outputTokens, type ServedUsage } from '../usage.ts';

type Json = Readonly<Record<string, unknown>>;

const usageJson = (usage: ServedUsage): Json => ({
  input_tokens: usage.uncachedInput,
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead,
  output_tokens: outputTokens(usage),
});

const stopReason = (reply: Reply): string => (reply.calls.length > 0 ? 'tool_use' : 'end_turn');
const callBlock = (call: PlannedCall): Json => ({ type: 'tool_use', id: call.id, name: call.name, input: JSON.parse(call.input) as unknown });

const contentOf = (reply: Reply): readonly Json[] => [
  ...(reply.reasoning === null ? [] : [{ type: 'thinking', thinking: reply.reasoning, signature: `sealed-${reply.id}` }]),
  ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
  ...reply.calls.map(callBlock),
];

const envelope = (reply: Reply, content: readonly Json[], stop: string | null, usage: Json): Json => ({
  id: `msg_${reply.id}`,
  type: 'message',
  role: 'assistant',
  model: reply.model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage,
});

export const wholeMessage = (reply: Reply): unknown => envelope(reply, contentOf(reply), stopReason(reply), reply.usage === null ? {} : usageJson(reply.usage));

/** How a block of each kind begins, and the deltas that fill it. */
function blockEvents(block: Json): readonly [start: Json, ...deltas: Json[]] {
  if (block['type'] === 'thinking') {
    const pieces = splitText(String(block['thinking'])).map(thinking => ({ type: 'thinking_delta', thinking }));
    return [{ type: 'thinking', thinking: '', signature: '' }, ...pieces, { type: 'signature_delta', signature: block['signature'] }];
  }
  if (block['type'] === 'text') return [{ type: 'text', text: '' }, ...splitText(String(block['text'])).map(text => ({ type: 'text_delta', text }))];
  return [{ ...block, input: {} }, ...splitText(JSON.stringify(block['input'])).map(piece => ({ type: 'input_json_delta', partial_json: piece }))];
}

/** The input is told at the start and again with the end's output, as the vendor does; the output at the start is a placeholder of 1. */
export function messageEvents(reply: Reply): readonly StreamEvent[] {
  const usage = reply.usage === null ? null : usageJson(reply.usage);
  const events: readonly Json[] = [
    { type: 'message_start', message: envelope(reply, [], null, usage === null ? {} : { ...usage, output_tokens: 1 }) },
    { type: 'ping' },
    ...contentOf(reply).flatMap((block, index) => {
      const [start, ...deltas] = blockEvents(block);
      return [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ];
    }),
    { type: 'message_delta', delta: { stop_reason: stopReason(reply), stop_sequence: null }, ...(usage === null ? {} : { usage }) },
    { type: 'message_stop' },
  ];
  return events.map(event => ({ name: String(event['type']), data: JSON.stringify(event) }));
}
