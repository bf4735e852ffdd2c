/** Writes a reply in the words of Responses: the object whole, or the events that build it item by item. */
import type { PlannedCall, Reply, StreamEvent } from '../protocol.ts';
import { splitText } from '../split-text.ts';
import { inputTokens, outputTokens, type ServedUsage } from '../usage.ts';

const CREATED = 1_750_000_000;
type Json = Readonly<Record<string, unknown>>;

const usageJson = (usage: ServedUsage): Json => ({
  input_tokens: inputTokens(usage),
  input_tokens_details: { cached_tokens: usage.cacheRead },
  output_tokens: outputTokens(usage),
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: inputTokens(usage) + outputTokens(usage),
});

const envelope = (reply: Reply, status: string, output: readonly Json[], usage: ServedUsage | null): Json => ({
  id: `resp_${reply.id}`,
  object: 'response',
  created_at: CREATED,
  status,
  model: reply.model,
  output,
  usage: usage === null ? null : usageJson(usage),
  error: null,
  incomplete_details: null,
});

const reasoningItem = (reply: Reply, text: string): Json => ({
  id: `rs_${reply.id}`,
  type: 'reasoning',
  summary: [{ type: 'summary_text', text }],
  encrypted_content: `sealed-${reply.id}`,
});

const messageItem = (reply: Reply): Json => ({
  id: `msg_${reply.id}`,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: reply.text, annotations: [] }],
});

const searchItem = (call: PlannedCall): Json => ({
  id: `tsc_${call.id}`,
  type: 'tool_search_call',
  call_id: call.id,
  execution: 'client',
  arguments: JSON.parse(call.input) as unknown,
  status: 'completed',
});

const callItem = (call: PlannedCall): Json => ({
  id: `${call.kind === 'custom' ? 'ctc' : 'fc'}_${call.id}`,
  type: call.kind === 'custom' ? 'custom_tool_call' : 'function_call',
  call_id: call.id,
  name: call.name,
  ...(call.namespace === null ? {} : { namespace: call.namespace }),
  ...(call.kind === 'custom' ? { input: call.input } : { arguments: call.input }),
  status: 'completed',
});

const outputOf = (reply: Reply): readonly Json[] => [
  ...(reply.reasoning === null ? [] : [reasoningItem(reply, reply.reasoning)]),
  ...(reply.text === '' ? [] : [messageItem(reply)]),
  ...reply.calls.map(call => (call.kind === 'tool_search' ? searchItem(call) : callItem(call))),
];

export const wholeResponse = (reply: Reply): unknown => envelope(reply, 'completed', outputOf(reply), reply.usage);

/** One item's events between its `added` and its `done`. */
function innerEvents(item: Json, index: number): readonly Json[] {
  const place = { item_id: item['id'], output_index: index };
  const pieces = (type: string, text: string, more: Json = {}) => splitText(text).map(delta => ({ type: `${type}.delta`, ...place, ...more, delta }));
  if (item['type'] === 'reasoning') {
    const part = (item['summary'] as readonly { text: string }[])[0];
    const at = { summary_index: 0 };
    return [
      { type: 'response.reasoning_summary_part.added', ...place, ...at, part: { type: 'summary_text', text: '' } },
      ...pieces('response.reasoning_summary_text', part?.text ?? '', at),
      { type: 'response.reasoning_summary_text.done', ...place, ...at, text: part?.text },
      { type: 'response.reasoning_summary_part.done', ...place, ...at, part },
    ];
  }
  if (item['type'] === 'message') {
    const part = (item['content'] as readonly { text: string }[])[0];
    const at = { content_index: 0 };
    return [
      { type: 'response.content_part.added', ...place, ...at, part: { ...part, text: '' } },
      ...pieces('response.output_text', part?.text ?? '', at),
      { type: 'response.output_text.done', ...place, ...at, text: part?.text },
      { type: 'response.content_part.done', ...place, ...at, part },
    ];
  }
  if (item['type'] === 'tool_search_call') return [];
  const [type, field] = item['type'] === 'custom_tool_call' ? ['response.custom_tool_call_input', 'input'] : ['response.function_call_arguments', 'arguments'];
  const text = String(item[field as string]);
  return [...pieces(type as string, text), { type: `${type}.done`, ...place, [field as string]: text }];
}

/** The item as it stands when it is added: its text still empty. */
const emptied = (item: Json): Json => ({
  ...item,
  ...('status' in item ? { status: 'in_progress' } : {}),
  ...('content' in item ? { content: [] } : {}),
  ...('summary' in item ? { summary: [] } : {}),
  ...(typeof item['arguments'] === 'string' ? { arguments: '' } : {}),
  ...('input' in item ? { input: '' } : {}),
});

export function responseEvents(reply: Reply): readonly StreamEvent[] {
  const output = outputOf(reply);
  const events: readonly Json[] = [
    { type: 'response.created', response: envelope(reply, 'in_progress', [], null) },
    { type: 'response.in_progress', response: envelope(reply, 'in_progress', [], null) },
    ...output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: emptied(item) },
      ...innerEvents(item, index),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: 'response.completed', response: envelope(reply, 'completed', output, reply.usage) },
  ];
  return events.map((event, number) => ({ name: String(event['type']), data: JSON.stringify({ ...event, sequence_number: number }) }));
}
