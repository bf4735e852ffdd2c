/** A request in the intermediate form, as a Chat Completions body. */
import { REASONING_FIELDS } from './chat.wire.ts';
import { type Conversion, isNative } from './conversion.ts';
import { RequestProblem } from './gateway-failure.ts';
import type { CallItem, Item, MessageItem, Part, ResultItem } from './item.ts';
import { asObject, type JsonObject, present, without } from './json.ts';
import { keepsCalls, nativeSegments } from './native-segments.ts';
import type { Prepared } from './prepared.ts';
import { brokeOff, groupTurns, type Turn } from './turns.ts';
import { upstreamCall } from './write-call.ts';
import { writeFormat } from './write-format.ts';
import { chatPart, plainText, withoutEmpty } from './write-parts.ts';
import { writeChoice, writeTools } from './write-tools.ts';

/** Fields that the body gets anew; the caller adds or keeps the rest. */
export function encodeChat(conversion: Conversion, prepared: Prepared): JsonObject {
  const { request } = conversion;
  const tools = writeTools(conversion, prepared);
  const shared = {
    messages: writeMessages(prepared.items, conversion),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: writeChoice(conversion, tools.length),
    parallel_tool_calls: tools.length > 0 && conversion.facts.parallel_calls ? request.parallelCalls : undefined,
  };
  const format = writeFormat(request.answerFormat, conversion.facts);
  if (isNative(conversion)) return shared;
  const { settings } = request;
  return {
    ...shared,
    response_format: format,
    max_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    stop: settings.stop.length > 0 ? settings.stop : undefined,
    reasoning_effort: settings.effort,
  };
}

function writeMessages(items: readonly Item[], conversion: Conversion): readonly JsonObject[] {
  return isNative(conversion)
    ? nativeSegments(items, conversion, { build: segment => writeTurns(segment, conversion), isUntouched: keepsCalls(conversion) })
    : writeTurns(items, conversion);
}

function writeTurns(items: readonly Item[], conversion: Conversion): readonly JsonObject[] {
  const { turns: all, orphans, unanswered } = groupTurns(items);
  const turns = isNative(conversion) ? all : all.filter(turn => !brokeOff(turn));
  if (!isNative(conversion)) {
    const orphan = orphans[0];
    if (orphan !== undefined)
      throw new RequestProblem('result_without_call', `No call has the id of the result ${JSON.stringify(orphan.callId.slice(0, 80))}.`);
    if (turns.length < all.length) conversion.diagnostics.add('reasoning_dropped', 'A turn that broke off after its reasoning is left out.');
    if (unanswered > 0) conversion.diagnostics.add('call_without_result', 'A call in the history has no result, which many upstreams refuse.');
  }
  return turns.flatMap(turn => writeTurn(turn, conversion));
}

function writeTurn(turn: Turn, conversion: Conversion): readonly JsonObject[] {
  if (turn.type === 'results') return turn.results.map(result => writeResult(result, conversion));
  if (turn.type === 'assistant') return writeAssistant(turn.items, conversion);
  if (turn.item.type === 'opaque') return [turn.item.piece];
  return turn.item.type === 'message' ? writeMessage(turn.item, conversion) : [];
}

/** Instructions and text are one string where they can be: the oldest servers take nothing else. */
function content(parts: readonly Part[], conversion: Conversion, separator: string): unknown {
  const kept = withoutEmpty(parts);
  return plainText(kept, separator) ?? kept.map(part => chatPart(part, { native: isNative(conversion) }));
}

const extraOf = (wire: JsonObject | undefined, conversion: Conversion, known: ReadonlySet<string>): JsonObject =>
  isNative(conversion) && wire !== undefined ? without(wire, known) : {};

const MESSAGE_FIELDS: ReadonlySet<string> = new Set(['role', 'content']);

function writeMessage(item: MessageItem, conversion: Conversion): readonly JsonObject[] {
  if (withoutEmpty(item.parts).length === 0) return [];
  const separator = item.role === 'user' ? '\n' : '\n\n';
  return [{ role: item.role, content: content(item.parts, conversion, separator), ...extraOf(item.wire, conversion, MESSAGE_FIELDS) }];
}

const RESULT_FIELDS: ReadonlySet<string> = new Set(['role', 'tool_call_id', 'content']);

function writeResult(item: ResultItem, conversion: Conversion): JsonObject {
  if (item.failed) conversion.diagnostics.add('error_flag_dropped', 'A chat tool message cannot say that the tool failed; its text still does.');
  const parts = withoutEmpty(item.parts);
  return {
    role: 'tool',
    tool_call_id: item.callId,
    content: parts.length === 0 ? '' : content(parts, conversion, '\n'),
    ...extraOf(item.piece, conversion, RESULT_FIELDS),
  };
}

const ASSISTANT_FIELDS: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', ...REASONING_FIELDS]);

function writeAssistant(items: readonly Item[], conversion: Conversion): readonly JsonObject[] {
  const parts = items.flatMap(item => (item.type === 'message' ? withoutEmpty(item.parts) : []));
  const calls = items.filter(item => item.type === 'call').map(call => writeCall(call, conversion));
  const reasoning = writeReasoning(items, conversion);
  if (parts.length === 0 && calls.length === 0 && Object.keys(reasoning).length === 0) return [];
  const text = parts.length === 0 ? (calls.length > 0 ? null : '') : content(parts, conversion, '\n');
  const wire = items[0]?.wire;
  return [
    present({
      role: 'assistant',
      content: text,
      ...reasoning,
      tool_calls: calls.length > 0 ? calls : undefined,
      ...extraOf(wire, conversion, ASSISTANT_FIELDS),
    }),
  ];
}

/** In the field of the facts; a chat history that came with another field keeps it. */
function writeReasoning(items: readonly Item[], conversion: Conversion): JsonObject {
  const reasoning = items.filter(item => item.type === 'reasoning');
  const text = reasoning.flatMap(item => (item.text.length > 0 ? item.text : item.summary)).join('\n');
  const wire = isNative(conversion) ? reasoning[0]?.wire : undefined;
  const field = conversion.facts.reasoning_field ?? REASONING_FIELDS.find(name => wire !== undefined && Object.hasOwn(wire, name));
  return text === '' || field === undefined ? {} : { [field]: text };
}

function writeCall(call: CallItem, conversion: Conversion): JsonObject {
  const { planned, input } = upstreamCall(call, conversion);
  const custom = planned.form === 'same' && call.tool.kind === 'custom';
  const type = custom ? 'custom' : 'function';
  const inner = custom ? { name: planned.alias, input } : { name: planned.alias, arguments: input };
  const piece = isNative(conversion) ? call.piece : undefined;
  return {
    ...(piece === undefined ? {} : without(piece, new Set(['id', 'type', 'function', 'custom']))),
    id: call.callId,
    type,
    [type]: { ...asObject(piece?.[type]), ...inner },
  };
}
