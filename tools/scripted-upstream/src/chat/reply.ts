/** Writes a reply in the words of Chat Completions: the object whole, or its chunks, the last of them with the usage alone. */
import type { PlannedCall, Reply, StreamEvent } from '../protocol.ts';
import { splitText } from '../split-text.ts';
import { inputTokens, outputTokens, type ServedUsage } from '../usage.ts';

const CREATED = 1_750_000_000;

const usageJson = (usage: ServedUsage) => ({
  prompt_tokens: inputTokens(usage),
  completion_tokens: outputTokens(usage),
  total_tokens: inputTokens(usage) + outputTokens(usage),
  prompt_tokens_details: { cached_tokens: usage.cacheRead },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});

const callJson = (call: PlannedCall) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: call.input } });
const finishOf = (reply: Reply): string => (reply.calls.length > 0 ? 'tool_calls' : 'stop');

export const wholeCompletion = (reply: Reply): unknown => ({
  id: `chatcmpl-${reply.id}`,
  object: 'chat.completion',
  created: CREATED,
  model: reply.model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: reply.text === '' ? null : reply.text,
        ...(reply.reasoning === null ? {} : { reasoning_content: reply.reasoning }),
        ...(reply.calls.length > 0 ? { tool_calls: reply.calls.map(callJson) } : {}),
      },
      finish_reason: finishOf(reply),
    },
  ],
  ...(reply.usage === null ? {} : { usage: usageJson(reply.usage) }),
});

const callDeltas = (call: PlannedCall, index: number) => [
  { tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] },
  ...splitText(call.input).map(piece => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
];

export function completionChunks(reply: Reply): readonly StreamEvent[] {
  const chunk = (choices: readonly unknown[], more: object = {}): StreamEvent => ({
    name: null,
    data: JSON.stringify({ id: `chatcmpl-${reply.id}`, object: 'chat.completion.chunk', created: CREATED, model: reply.model, choices, ...more }),
  });
  const deltas: readonly object[] = [
    { role: 'assistant', content: '' },
    ...(reply.reasoning === null ? [] : splitText(reply.reasoning).map(piece => ({ reasoning_content: piece }))),
    ...(reply.text === '' ? [] : splitText(reply.text).map(piece => ({ content: piece }))),
    ...reply.calls.flatMap(callDeltas),
  ];
  return [
    ...deltas.map(delta => chunk([{ index: 0, delta, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: finishOf(reply) }]),
    ...(reply.usage === null ? [] : [chunk([], { usage: usageJson(reply.usage) })]),
    { name: null, data: '[DONE]' },
  ];
}
