/** Declarations for the upstream, from the plan: each as it came where nothing changes, and else as a function. */
import { envelopeDescription, envelopeParameters, type PlanEntry, type PlannedTool, toolKey, type WireProtocol } from '@weir/tool-plan';
import { type Conversion, isNative } from './conversion.ts';
import { asFlag, type JsonObject, present } from './json.ts';
import type { Prepared } from './prepared.ts';

interface Reaching {
  readonly entry: PlanEntry;
  readonly planned: PlannedTool;
}

/** Declarations in the order of the inventory; empty when nothing reaches the upstream. */
export function writeTools(conversion: Conversion, { inPlace }: Pick<Prepared, 'inPlace'>): readonly JsonObject[] {
  const allowed = allowedKeys(conversion);
  const reaching = conversion.plan.entries.flatMap((entry): readonly Reaching[] => {
    const key = toolKey(entry.declaration);
    const stays = entry.declaration.source !== 'tools' && inPlace.has(key);
    const goes = entry.planned !== undefined && !stays && (allowed === undefined || allowed.has(key));
    return goes ? [{ entry, planned: entry.planned }] : [];
  });
  if (conversion.upstream === 'responses') return responsesTools(reaching, isNative(conversion));
  const write = conversion.upstream === 'chat' ? chatTool : messagesTool;
  return reaching.map(tool => write(tool, isNative(conversion)));
}

/** An `allowed_tools` choice becomes a shorter list: every protocol can say that. */
function allowedKeys({ plan: { choice } }: Conversion): ReadonlySet<string> | undefined {
  return choice?.mode === 'allowed' ? new Set(choice.tools.map(toolKey)) : undefined;
}

const isWhole = ({ planned, entry }: Reaching): boolean => planned.form === 'same' && planned.alias === entry.declaration.name;

/** What a function says about itself, with the envelope in place of a freeform tool. */
function functionOf({ entry: { declaration }, planned }: Reaching): { readonly name: string; readonly description: string; readonly parameters: JsonObject } {
  return planned.form === 'envelope'
    ? { name: planned.alias, description: envelopeDescription(declaration), parameters: envelopeParameters }
    : { name: planned.alias, description: declaration.description, parameters: declaration.parameters };
}

const strictOf = ({ entry: { declaration }, planned }: Reaching): boolean | undefined => (planned.form === 'envelope' ? undefined : declaration.strict);

/** Children of one native namespace stand together where its first child stood. */
function responsesTools(reaching: readonly Reaching[], native: boolean): readonly JsonObject[] {
  const children = new Map<string, JsonObject[]>();
  const written: JsonObject[] = [];
  for (const tool of reaching) {
    const { namespace } = tool.entry.declaration;
    if (tool.planned.form !== 'same' || namespace === undefined) {
      written.push(responsesTool(tool, native));
      continue;
    }
    const siblings = children.get(namespace) ?? [];
    if (siblings.length === 0)
      written.push({ ...(tool.entry.declaration.wireNamespace ?? { type: 'namespace', name: namespace, description: '' }), tools: siblings });
    siblings.push(responsesTool(tool, native));
    children.set(namespace, siblings);
  }
  return written;
}

/** A Responses upstream takes a missing `strict` for true, which the other protocols do not. */
function responsesTool(tool: Reaching, native: boolean): JsonObject {
  const { declaration } = tool.entry;
  if (tool.planned.form === 'same') {
    if (native) return isWhole(tool) ? declaration.wire : { ...declaration.wire, name: tool.planned.alias };
    if (declaration.kind === 'custom')
      return present({ type: 'custom', name: tool.planned.alias, description: declaration.description, format: responsesFormat(tool) });
  }
  const strict = strictOf(tool) ?? (native && asFlag(declaration.wire['strict']) === undefined && tool.planned.form !== 'envelope' ? undefined : false);
  return present({ type: 'function', ...functionOf(tool), strict });
}

const responsesFormat = ({ entry: { declaration } }: Reaching): JsonObject =>
  declaration.grammar === undefined ? { type: 'text' } : { type: 'grammar', ...declaration.grammar };

function chatTool(tool: Reaching, native: boolean): JsonObject {
  const { declaration } = tool.entry;
  const custom = tool.planned.form === 'same' && declaration.kind === 'custom';
  if (native && isWhole(tool)) return declaration.wire;
  if (custom) {
    const { grammar } = declaration;
    const format = grammar === undefined ? { type: 'text' } : { type: 'grammar', grammar };
    return { type: 'custom', custom: { name: tool.planned.alias, description: declaration.description, format } };
  }
  const { name, description, parameters } = functionOf(tool);
  return { type: 'function', function: present({ name, description: description === '' ? undefined : description, parameters, strict: strictOf(tool) }) };
}

function messagesTool(tool: Reaching, native: boolean): JsonObject {
  if (native && tool.planned.form === 'same') return isWhole(tool) ? tool.entry.declaration.wire : { ...tool.entry.declaration.wire, name: tool.planned.alias };
  const { name, description, parameters } = functionOf(tool);
  const schema = typeof parameters['type'] === 'string' ? parameters : { type: 'object', ...parameters };
  return present({ name, description: description === '' ? undefined : description, input_schema: schema });
}

/** tool_choice for the upstream; undefined where the client made none, or where no tool is left to choose from. */
export function writeChoice({ plan, upstream }: Conversion, tools: number): unknown {
  const { choice } = plan;
  if (choice === undefined || tools === 0) return undefined;
  if (choice.mode === 'named') {
    const planned = plan.toUpstream(choice.tool);
    const wire = plan.entries.find(entry => toolKey(entry.declaration) === toolKey(choice.tool))?.declaration.wire ?? {};
    return planned === undefined ? undefined : NAMED_CHOICE[upstream](planned, wire);
  }
  const mode = choice.mode === 'allowed' ? choice.need : choice.mode;
  if (upstream !== 'messages') return mode;
  return { type: mode === 'required' ? 'any' : mode };
}

const NAMED_CHOICE: Readonly<Record<WireProtocol, (planned: PlannedTool, wire: JsonObject) => JsonObject>> = {
  responses: ({ tool, alias, form }, wire) => {
    if (tool.kind === 'hosted') return { type: wire['type'] };
    if (tool.kind === 'tool_search' && form === 'same') return { type: 'tool_search' };
    return present({ type: choiceType(tool.kind, form), name: alias, namespace: form === 'same' ? tool.namespace : undefined });
  },
  chat: ({ tool, alias, form }, wire) => {
    if (tool.kind === 'hosted') return { type: wire['type'] };
    const type = choiceType(tool.kind, form);
    return { type, [type]: { name: alias } };
  },
  messages: ({ tool, alias }, wire) => ({ type: 'tool', name: tool.kind === 'hosted' ? wire['name'] : alias }),
};

const choiceType = (kind: string, form: string): string => (form === 'same' && kind === 'custom' ? 'custom' : 'function');
