/** Reads a Responses body: its fields by the schema, then the rules between its items, then what it says. */
import type { Conversation, OfferedTool, Reading, ToolResult } from '../conversation.ts';
import { imageData, parametersOf } from '../conversation.ts';
import { ruleProblems } from '../rule-problems.ts';
import { type ResponsesItem, type ResponsesRequest, type ResponsesTool, responsesRequest, withMessageTypes } from './request.ts';

/** The item that answers each kind of call. */
const ANSWERED_BY = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  tool_search_call: 'tool_search_output',
} as const;
type Call = Extract<ResponsesItem, { type: keyof typeof ANSWERED_BY }>;
type Output = Extract<ResponsesItem, { type: (typeof ANSWERED_BY)[keyof typeof ANSWERED_BY] }>;
const isCall = (entry: ResponsesItem): entry is Call => entry.type in ANSWERED_BY;
const isOutput = (entry: ResponsesItem): entry is Output => Object.values<string>(ANSWERED_BY).includes(entry.type);

/** A search may come without an id; then it is its own. */
const idOf = (entry: Call | Output): string => entry.call_id ?? '';

/** Every call has one output of its kind after it, every output a call before it, no id stands twice. */
function pairingProblems(items: readonly ResponsesItem[]): readonly string[] {
  const open = new Map<string, Call>();
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const entry of items) {
    if (isCall(entry)) {
      const callId = idOf(entry);
      if (seen.has(callId)) problems.push(`Duplicate call_id ${callId}.`);
      seen.add(callId);
      open.set(callId, entry);
    } else if (isOutput(entry)) {
      const callId = idOf(entry);
      const call = open.get(callId);
      if (call === undefined) problems.push(`No tool call found for function call output with call_id ${callId}.`);
      else if (ANSWERED_BY[call.type] !== entry.type) problems.push(`${entry.type} answers the ${call.type} ${callId}.`);
      open.delete(callId);
    }
  }
  return [...problems, ...[...open.keys()].map(callId => `No tool output found for function call ${callId}.`)];
}

function toolProblems(request: ResponsesRequest, tools: readonly OfferedTool[]): readonly string[] {
  const names = tools.map(tool => `${tool.namespace ?? ''}/${tool.name}`);
  const doubled = names.filter((name, index) => names.indexOf(name) !== index).map(name => `Tool ${name} is declared twice.`);
  const offered = offeredTools(request).length > 0;
  const needless = (request.tool_choice === 'required' || typeof request.tool_choice === 'object') && !offered;
  return needless ? [...doubled, "'tool_choice' needs 'tools'."] : doubled;
}

const itemsOf = (request: ResponsesRequest): readonly ResponsesItem[] => (typeof request.input === 'string' ? [] : request.input);

function offeredTools(request: ResponsesRequest): readonly ResponsesTool[] {
  const later = itemsOf(request).flatMap(entry => (entry.type === 'additional_tools' || entry.type === 'tool_search_output' ? entry.tools : []));
  return [...(request.tools ?? []), ...later];
}

function flattened(tool: ResponsesTool, namespace: string | null = null): readonly OfferedTool[] {
  if (tool.type === 'namespace') return tool.tools.flatMap(child => flattened(child, tool.name));
  if (tool.type === 'function') return [{ name: tool.name, namespace, kind: 'function', ...parametersOf(tool.parameters) }];
  if (tool.type === 'tool_search') return [{ name: 'tool_search', namespace, kind: 'tool_search', ...parametersOf(tool.parameters) }];
  return tool.type === 'custom' ? [{ name: tool.name, namespace, kind: 'custom', ...parametersOf(null) }] : [];
}

type Parts = Exclude<Exclude<Output, { type: 'tool_search_output' }>['output'], string>;
const imagesIn = (parts: Parts): readonly string[] =>
  parts.flatMap(part => (part.type === 'input_image' && typeof part.image_url === 'string' ? [imageData(part.image_url)] : []));
const textIn = (parts: Parts): string => parts.map(part => (part.type === 'input_text' ? part.text : '')).join('\n');

function userTextOf(entry: ResponsesItem): readonly string[] {
  // What one agent writes to another; the field for sealed text holds it as it is.
  if (entry.type === 'agent_message') return entry.content.map(part => (part.type === 'input_text' ? part.text : part.encrypted_content));
  if (entry.type !== 'message' || entry.role !== 'user') return [];
  return [typeof entry.content === 'string' ? entry.content : textIn(entry.content)];
}

function assistantTextOf(entry: ResponsesItem): readonly string[] {
  if (entry.type !== 'message' || entry.role !== 'assistant') return [];
  return typeof entry.content === 'string' ? [entry.content] : entry.content.map(part => (part.type === 'output_text' ? part.text : ''));
}

function resultOf(entry: Output): ToolResult {
  const callId = idOf(entry);
  if (entry.type === 'tool_search_output') return { callId, text: JSON.stringify(entry.tools), images: [] };
  const { output } = entry;
  return typeof output === 'string' ? { callId, text: output, images: [] } : { callId, text: textIn(output), images: imagesIn(output) };
}

export function readResponses(body: unknown): Reading {
  const parsed = responsesRequest.safeParse(withMessageTypes(body));
  if (!parsed.success) return { conversation: null, violations: ruleProblems(parsed.error) };
  const request = parsed.data;
  const items = itemsOf(request);
  const tools = offeredTools(request).flatMap(tool => flattened(tool));
  const conversation: Conversation = {
    model: request.model,
    stream: request.stream === true,
    wantsUsage: true,
    wantsReasoning: request.include?.includes('reasoning.encrypted_content') === true,
    parallel: request.parallel_tool_calls !== false,
    schema: request.text?.format?.['schema'] ?? null,
    tools,
    calls: items.filter(isCall).map(idOf),
    results: items.filter(isOutput).map(resultOf),
    userText: items.flatMap(userTextOf).join('\n'),
    assistantText: items.flatMap(assistantTextOf).join('\n'),
    images: items.flatMap(entry =>
      entry.type === 'message' && entry.role !== 'assistant' && typeof entry.content !== 'string' ? imagesIn(entry.content) : [],
    ),
  };
  return { conversation, violations: [...pairingProblems(items), ...toolProblems(request, tools)] };
}
