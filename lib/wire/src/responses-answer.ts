/** Items and the whole object of a Responses answer. */
import type { AnswerFrame } from './answer-writer.ts';
import { type JsonObject, parseJson, present, without } from './json.ts';
import { sealFor, SEAL_PROTOCOL } from './sealed.ts';
import type { Answer, CallAnswer, FinishEvent, MessageAnswer, ReasoningAnswer } from './stream-event.ts';
import { WRITE_USAGE } from './usage.ts';

export interface ResponsesIdentity {
  readonly id: string;
  readonly model: string;
  readonly createdAt: number;
}

const PREFIX = { message: 'msg', reasoning: 'rs', function: 'fc', custom: 'ctc', tool_search: 'tsc', hosted: 'fc' } as const;
const CALL_TYPE = { function: 'function_call', custom: 'custom_tool_call', tool_search: 'tool_search_call', hosted: 'function_call' } as const;

/** The upstream's own id where the item keeps its type; else one made of the answer's id and the item's number. */
export function itemId(item: Exclude<Answer, { kind: 'opaque' }>, number: number, answerId: string): string {
  if (item.id !== undefined && (item.kind !== 'call' || item.wire?.['type'] === CALL_TYPE[item.tool.kind])) return item.id;
  return `${PREFIX[item.kind === 'call' ? item.tool.kind : item.kind]}_${answerId}_${number}`;
}

/** An item at its start or its end; `status` is left out where the upstream's own item says it. */
export function responsesItem(item: Answer, number: number, { answerId, frame, status }: { answerId: string; frame: AnswerFrame; status: string }): JsonObject {
  switch (item.kind) {
    case 'opaque':
      return item.wire;
    case 'message':
      return { ...nativeFields(item), id: itemId(item, number, answerId), type: 'message', role: 'assistant', status, content: messageContent(item) };
    case 'reasoning':
      return { ...nativeFields(item), ...reasoningFields(item, frame), id: itemId(item, number, answerId), type: 'reasoning' };
    case 'call':
      return { ...nativeFields(item), ...callFields(item), id: itemId(item, number, answerId), status };
  }
}

/** Fields of the upstream's item that the form does not carry, such as a phase. */
const FORM_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'name',
  'namespace',
  'arguments',
  'input',
  'call_id',
  'content',
  'summary',
  'encrypted_content',
  'execution',
]);
const nativeFields = ({ wire }: { readonly wire: JsonObject | undefined }): JsonObject => (wire === undefined ? {} : without(wire, FORM_FIELDS));

/** Annotations and log probabilities stay where the text is the upstream's own. */
function messageContent({ text, refusal, wire }: MessageAnswer): unknown {
  const came = wire?.['content'];
  if (Array.isArray(came) && came.length > 0) return came;
  return [
    ...(text === '' && refusal !== '' ? [] : text === '' ? [] : [{ type: 'output_text', text, annotations: [] }]),
    ...(refusal === '' ? [] : [{ type: 'refusal', refusal }]),
  ];
}

function reasoningFields({ summary, text, sealed }: ReasoningAnswer, { upstream, route }: AnswerFrame): JsonObject {
  const own = sealed !== undefined && SEAL_PROTOCOL[sealed.form] === 'responses' && upstream === 'responses';
  return present({
    summary: summary.map(piece => ({ type: 'summary_text', text: piece })),
    content: text.length > 0 ? text.map(piece => ({ type: 'reasoning_text', text: piece })) : undefined,
    encrypted_content: sealed === undefined ? undefined : own ? sealed.value : sealFor(sealed, route),
  });
}

function callFields({ callId, tool, input }: CallAnswer): JsonObject {
  const shared = { type: CALL_TYPE[tool.kind], call_id: callId };
  switch (tool.kind) {
    case 'custom':
      return present({ ...shared, name: tool.name, namespace: tool.namespace, input });
    case 'tool_search':
      return { ...shared, execution: 'client', arguments: parseJson(input) ?? {} };
    case 'function':
    case 'hosted':
      return present({ ...shared, name: tool.name, namespace: tool.namespace, arguments: input });
  }
}

export interface ResponsesEnding {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly output: readonly JsonObject[];
  readonly usage?: FinishEvent['usage'];
  readonly error?: JsonObject;
  readonly incompleteReason?: string | undefined;
}

export const responsesBody = (
  { id, model, createdAt }: ResponsesIdentity,
  { status, output, usage, error, incompleteReason }: ResponsesEnding,
): JsonObject => ({
  id,
  object: 'response',
  created_at: createdAt,
  status,
  model,
  output,
  usage: usage === undefined ? null : WRITE_USAGE.responses(usage),
  error: error ?? null,
  incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
});

/** How an answer ends that did not fail. */
export function responsesEnding({ reason, native, usage }: FinishEvent, output: readonly JsonObject[]): ResponsesEnding {
  if (reason === 'stop' || reason === 'tool_calls') return { status: 'completed', output, usage };
  const known = native === 'max_output_tokens' || native === 'content_filter' ? native : undefined;
  return { status: 'incomplete', output, usage, incompleteReason: known ?? (reason === 'length' ? 'max_output_tokens' : 'content_filter') };
}
