/** A Responses request, to the intermediate form. Unknown items stay whole; a broken known one is refused with its place. */
import type { ToolChoice } from '@weir/tool-plan';
import { decodeResponsesItem } from './decode-responses-item.ts';
import { RequestProblem } from './gateway-failure.ts';
import { type Item, MAX_ITEMS } from './item.ts';
import { asCount, asFlag, asNumber, asObject, asText, isObject, type JsonObject } from './json.ts';
import type { AnswerFormat, ModelRequest } from './model-request.ts';
import { readResponsesTools, readToolReference, readToolReferences } from './read-tools.ts';

export function decodeResponses(body: JsonObject): ModelRequest {
  const reasoning = asObject(body['reasoning']);
  const text = asObject(body['text']);
  return {
    protocol: 'responses',
    model: asText(body['model']) ?? '',
    stream: body['stream'] === true,
    items: [...instructionsOf(body['instructions']), ...itemsOf(body['input'])],
    tools: readResponsesTools(body['tools'], { source: 'tools', at: 'tools' }),
    emptyTools: Array.isArray(body['tools']) && body['tools'].length === 0,
    choice: readResponsesChoice(body['tool_choice']),
    parallelCalls: asFlag(body['parallel_tool_calls']),
    answerFormat: readFormat(asObject(text?.['format'])),
    settings: {
      maxOutputTokens: asCount(body['max_output_tokens']),
      temperature: asNumber(body['temperature']),
      topP: asNumber(body['top_p']),
      stop: [],
      effort: asText(reasoning?.['effort']),
      verbosity: asText(text?.['verbosity']),
      cacheKey: asText(body['prompt_cache_key']),
    },
    wantsUsageChunk: true,
    wire: body,
  };
}

/** Marks the item that stands for `instructions`, which is no input item on the wire. */
export const INSTRUCTIONS: JsonObject = Object.freeze({ instructions: true });

function instructionsOf(instructions: unknown): readonly Item[] {
  const text = asText(instructions);
  return text === undefined || text === '' ? [] : [{ type: 'message', role: 'system', parts: [{ type: 'text', text }], wire: INSTRUCTIONS }];
}

function itemsOf(input: unknown): readonly Item[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', parts: [{ type: 'text', text: input }], wire: undefined }];
  if (!Array.isArray(input)) throw new RequestProblem('invalid_request', 'input is neither text nor a list of items.');
  if (input.length > MAX_ITEMS) throw new RequestProblem('invalid_request', `input has more than ${MAX_ITEMS} items.`);
  return input.map((item: unknown, index) => {
    if (!isObject(item)) throw new RequestProblem('invalid_request', `input[${index}] is not an object.`);
    return decodeResponsesItem(item, `input[${index}]`);
  });
}

/** @throws RequestProblem for a choice of a shape that cannot be read; a choice that is not understood is never dropped. */
export function readResponsesChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice };
  if (!isObject(choice)) throw new RequestProblem('invalid_request', 'tool_choice is neither a known word nor an object.');
  if (choice['type'] !== 'allowed_tools') return { mode: 'named', tool: readToolReference(choice) };
  const list = asObject(choice['allowed_tools']) ?? choice;
  return { mode: 'allowed', need: list['mode'] === 'required' ? 'required' : 'auto', tools: readToolReferences(list['tools']) };
}

function readFormat(format: JsonObject | undefined): AnswerFormat | undefined {
  const schema = asObject(format?.['schema']);
  if (format?.['type'] === 'json_object') return { kind: 'json_object' };
  if (format?.['type'] !== 'json_schema') return undefined;
  if (schema === undefined) throw new RequestProblem('invalid_request', 'text.format is a json_schema without a schema.');
  return {
    kind: 'json_schema',
    name: asText(format['name']) ?? 'answer',
    schema,
    strict: asFlag(format['strict']),
    description: asText(format['description']),
  };
}
