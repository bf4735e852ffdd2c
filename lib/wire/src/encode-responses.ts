/** A request in the intermediate form, as a Responses body. */
import { type Conversion, isNative } from './conversion.ts';
import { INSTRUCTIONS } from './decode-responses.ts';
import { RequestProblem } from './gateway-failure.ts';
import type { CallItem, Item, MessageItem, ReasoningItem, ResultItem } from './item.ts';
import { type JsonObject, present } from './json.ts';
import { keepsCalls, nativeSegments } from './native-segments.ts';
import type { Prepared } from './prepared.ts';
import { argumentsObject, upstreamCall } from './write-call.ts';
import { writeFormat } from './write-format.ts';
import { plainText, responsesPart, withoutEmpty } from './write-parts.ts';
import { writeChoice, writeTools } from './write-tools.ts';

/** Fields that the body gets anew; the caller adds or keeps the rest. */
export function encodeResponses(conversion: Conversion, prepared: Prepared): JsonObject {
  const { request } = conversion;
  const tools = writeTools(conversion, prepared);
  const inInput = prepared.inPlace.size;
  const left = tools.length + inInput > 0;
  const shared = {
    input: writeInput(prepared.items, conversion),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: writeChoice(conversion, tools.length + inInput),
    parallel_tool_calls: left && conversion.facts.parallel_calls ? request.parallelCalls : undefined,
  };
  const format = writeFormat(request.answerFormat, conversion.facts);
  if (isNative(conversion)) {
    const instructions = prepared.items.some(item => item.wire === INSTRUCTIONS) ? request.wire['instructions'] : undefined;
    return { ...shared, instructions };
  }
  const { settings } = request;
  if (settings.stop.length > 0) throw new RequestProblem('unsupported_field', 'The Responses protocol has no stop sequences.');
  const text = present({ format, verbosity: settings.verbosity });
  return {
    ...shared,
    max_output_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    reasoning: settings.effort === undefined ? undefined : { effort: settings.effort },
    text: Object.keys(text).length > 0 ? text : undefined,
    prompt_cache_key: settings.cacheKey,
    store: false,
    include: conversion.facts.sealed_reasoning === 'route' ? ['reasoning.encrypted_content'] : undefined,
  };
}

function writeInput(items: readonly Item[], conversion: Conversion): unknown {
  const came = conversion.request.wire['input'];
  const listed = items.filter(item => item.wire !== INSTRUCTIONS);
  if (isNative(conversion) && typeof came === 'string' && listed.length === 1 && listed[0] === conversion.request.items.at(-1)) return came;
  const isCustom = customResults(listed, conversion);
  const build = (segment: readonly Item[]): readonly JsonObject[] => segment.flatMap(item => writeItem(item, conversion, isCustom));
  if (!isNative(conversion)) return build(listed);
  const keeps = keepsCalls(conversion);
  const isUntouched = (item: Item): boolean => keeps(item) && (item.type !== 'result' || (item.kind === 'custom') === isCustom(item));
  return nativeSegments(listed, conversion, { build, isUntouched });
}

/** Whether a result has the type of a freeform one: as its call goes upstream, and where that says nothing, as it came. */
function customResults(items: readonly Item[], conversion: Conversion): (result: ResultItem) => boolean {
  const calls = items.filter(item => item.type === 'call' && item.tool.kind === 'custom') as readonly CallItem[];
  const forms = new Map(calls.map(call => [call.callId, upstreamCall(call, conversion).planned.form]));
  return ({ callId, kind }) => {
    const form = forms.get(callId);
    if (form === 'same') return kind === 'custom' || !isNative(conversion);
    return form === undefined && kind === 'custom' && conversion.facts.custom;
  };
}

function writeItem(item: Item, conversion: Conversion, isCustom: (result: ResultItem) => boolean): readonly JsonObject[] {
  const native = isNative(conversion);
  switch (item.type) {
    case 'message':
      return writeMessage(item, native);
    case 'reasoning':
      return [writeReasoning(item)];
    case 'call':
      return [writeCall(item, conversion)];
    case 'result':
      return [writeResult(item, native, isCustom(item))];
    case 'opaque':
      return [item.piece];
    case 'additional_tools':
    case 'search_output':
    case 'agent_message':
      return item.wire === undefined ? [] : [item.wire];
  }
}

function writeMessage({ role, parts }: MessageItem, native: boolean): readonly JsonObject[] {
  const kept = withoutEmpty(parts);
  const content = kept.map(part => responsesPart(part, { native, output: role === 'assistant' }));
  return content.length === 0 ? [] : [{ type: 'message', role, content }];
}

const writeReasoning = ({ summary, text, sealed }: ReasoningItem): JsonObject => ({
  type: 'reasoning',
  summary: [...summary, ...(summary.length === 0 ? text : [])].map(piece => ({ type: 'summary_text', text: piece })),
  encrypted_content: sealed?.value,
});

const NAME_FIELDS = ['name', 'namespace', 'arguments', 'input', 'type', 'call_id', 'execution'] as const;

/** Fields that came with the call and that no form changes, such as its status. Its id names another type and goes. */
const rest = (item: CallItem | ResultItem, native: boolean): JsonObject => {
  const known: ReadonlySet<string> = new Set([...NAME_FIELDS, 'id', 'output']);
  return native ? Object.fromEntries(Object.entries(item.piece ?? {}).filter(([field]) => !known.has(field))) : {};
};

function writeCall(item: CallItem, conversion: Conversion): JsonObject {
  const { planned, input } = upstreamCall(item, conversion);
  const extra = rest(item, isNative(conversion));
  const same = planned.form === 'same';
  if (same && item.tool.kind === 'custom') {
    return present({ ...extra, type: 'custom_tool_call', call_id: item.callId, name: planned.alias, namespace: item.tool.namespace, input });
  }
  if (same && item.tool.kind === 'tool_search') {
    return { ...extra, type: 'tool_search_call', call_id: item.callId, execution: 'client', arguments: argumentsObject(input) };
  }
  return present({
    ...extra,
    type: 'function_call',
    call_id: item.callId,
    name: planned.alias,
    namespace: same ? item.tool.namespace : undefined,
    arguments: input,
  });
}

/** Text alone goes as text, which every revision takes. */
function writeResult(item: ResultItem, native: boolean, custom: boolean): JsonObject {
  const parts = withoutEmpty(item.parts);
  const output = plainText(parts, '\n') ?? parts.map(part => responsesPart(part, { native, output: false }));
  const type = custom ? 'custom_tool_call_output' : 'function_call_output';
  return { ...rest(item, native), type, call_id: item.callId, output };
}
