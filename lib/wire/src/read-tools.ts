/** Declarations of tools, from the three protocols' forms to the one of the plan. */
import type { ToolDeclaration, ToolName, ToolSource } from '@weir/tool-plan';
import { RequestProblem } from './gateway-failure.ts';
import { asFlag, asList, asObject, asText, isObject, type JsonObject } from './json.ts';

const NO_PARAMETERS = { type: 'object', properties: {} } as const;

interface Place {
  readonly source: ToolSource;
  /** Where the list stands, for the sentence of a failure. */
  readonly at: string;
}

/** A dated hosted type, such as web_search_20250305, is one kind with its other dates. */
const hostedKind = (type: string): string => type.replace(/_\d{4}_?\d{2}_?\d{2}$/, '');

function fields(tool: JsonObject, source: ToolSource): Omit<ToolDeclaration, 'name' | 'kind'> {
  return {
    namespace: undefined,
    source,
    description: asText(tool['description']) ?? '',
    parameters: asObject(tool['parameters']) ?? NO_PARAMETERS,
    strict: asFlag(tool['strict']),
    grammar: undefined,
    wire: tool,
    wireNamespace: undefined,
  };
}

const hosted = (tool: JsonObject, type: string, source: ToolSource): ToolDeclaration => ({ ...fields(tool, source), name: hostedKind(type), kind: 'hosted' });

function objectsAt(list: unknown, at: string): readonly JsonObject[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new RequestProblem('invalid_request', `${at} is not a list.`);
  return list.map((tool: unknown, index) => {
    if (!isObject(tool)) throw new RequestProblem('invalid_request', `${at}[${index}] is not an object.`);
    return tool;
  });
}

function nameOf(tool: JsonObject, at: string): string {
  const name = asText(tool['name']);
  if (name === undefined || name === '') throw new RequestProblem('invalid_request', `A tool in ${at} has no name.`);
  return name;
}

/** Functions, freeform tools, namespaces with children, tool search, and hosted tools. */
export function readResponsesTools(list: unknown, place: Place): readonly ToolDeclaration[] {
  return objectsAt(list, place.at).flatMap(tool => {
    if (tool['type'] !== 'namespace') return [readResponsesTool(tool, place)];
    const namespace = nameOf(tool, place.at);
    return objectsAt(tool['tools'], `${place.at} of namespace ${JSON.stringify(namespace.slice(0, 80))}`).map(child => ({
      ...readResponsesTool(child, place),
      namespace,
      wireNamespace: tool,
    }));
  });
}

function readResponsesTool(tool: JsonObject, { source, at }: Place): ToolDeclaration {
  const type = asText(tool['type']) ?? '';
  if (type === 'function') return { ...fields(tool, source), name: nameOf(tool, at), kind: 'function' };
  if (type === 'custom') return { ...fields(tool, source), name: nameOf(tool, at), kind: 'custom', grammar: grammarOf(asObject(tool['format'])) };
  if (type === 'tool_search' && tool['execution'] === 'client') return { ...fields(tool, source), name: 'tool_search', kind: 'tool_search' };
  if (type === '' || type === 'namespace') throw new RequestProblem('invalid_request', `A tool in ${at} has no type that can stand there.`);
  return hosted(tool, type, source);
}

export function readChatTools(list: unknown): readonly ToolDeclaration[] {
  return objectsAt(list, 'tools').map(tool => {
    const type = asText(tool['type']) ?? 'function';
    if (type !== 'function' && type !== 'custom') return hosted(tool, type, 'tools');
    const inner = asObject(tool[type]) ?? {};
    const shared = { ...fields(inner, 'tools'), name: nameOf(inner, 'tools'), wire: tool };
    if (type === 'function') return { ...shared, kind: 'function' };
    const format = asObject(inner['format']);
    return { ...shared, kind: 'custom', grammar: grammarOf(asObject(format?.['grammar']) ?? format) };
  });
}

export function readMessagesTools(list: unknown): readonly ToolDeclaration[] {
  return objectsAt(list, 'tools').map(tool => {
    const type = asText(tool['type']) ?? 'custom';
    if (type !== 'custom') return hosted(tool, type, 'tools');
    return { ...fields(tool, 'tools'), parameters: asObject(tool['input_schema']) ?? NO_PARAMETERS, name: nameOf(tool, 'tools'), kind: 'function' };
  });
}

function grammarOf(format: JsonObject | undefined): ToolDeclaration['grammar'] {
  const definition = asText(format?.['definition']);
  return definition === undefined ? undefined : { syntax: asText(format?.['syntax']) ?? 'text', definition };
}

/** A tool as tool_choice and history name it: type, name and, in Responses, a namespace. */
export function readToolReference(reference: JsonObject): ToolName {
  const type = asText(reference['type']) ?? '';
  const inner = asObject(reference[type]) ?? reference;
  const namespace = asText(reference['namespace']);
  if (type === 'function' || type === 'custom') return { namespace, name: asText(inner['name']) ?? '', kind: type };
  if (type === 'tool_search') return { namespace: undefined, name: 'tool_search', kind: 'tool_search' };
  return { namespace: undefined, name: hostedKind(type), kind: 'hosted' };
}

/** The list of an `allowed_tools` choice. */
export const readToolReferences = (list: unknown): readonly ToolName[] => asList(list).filter(isObject).map(readToolReference);
