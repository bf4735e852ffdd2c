/**
 * From a client's tool to its name upstream, and from a name that the upstream uses back to the tool. Only look-ups:
 * every spelling that is understood is registered before the first byte.
 */
import type { PlannedTool } from './planned-tool.ts';
import { readableAlias } from './tool-alias.ts';
import { type ToolKind, type ToolName, toolKey } from './tool-declaration.ts';

export interface ToolLookUp {
  /** How a tool of the history or of tool_choice goes upstream; undefined when it cannot go there. */
  toUpstream(tool: ToolName): PlannedTool | undefined;
  /**
   * The tool behind a name that came from upstream, with the namespace that stood beside it, if one did. Undefined for a
   * name that the plan never gave out. `kind` settles which of two tools that kept one name is meant.
   */
  toClient(name: string, namespace: string | undefined, kind: 'function' | 'custom' | 'tool_search'): PlannedTool | undefined;
}

/** Separators that upstreams put between a namespace and its child of their own accord. */
const SEPARATORS = ['.', '__', '/', ':'] as const;

/** Codex and the models that it trains take this namespace and the root for the same place (captured: name-inverse-rules). */
const ROOT_NAMESPACE = 'functions';

export function buildLookUp(planned: readonly PlannedTool[]): ToolLookUp {
  const byTool = new Map(planned.map(tool => [toolKey(tool.tool), tool]));
  let names: UpstreamNames | undefined;
  return {
    toUpstream: tool => byTool.get(toolKey(tool)),
    toClient: (name, namespace, kind) => {
      names ??= collectNames(planned);
      const found = names.exact.get(toolKey({ namespace, name, kind }));
      if (found !== undefined) return found;
      const spelt = names.spellings.get(namespace === undefined ? name : readableAlias({ namespace, name, kind }));
      return spelt === undefined || spelt === 'ambiguous' ? undefined : inKind(spelt, kind);
    },
  };
}

interface UpstreamNames {
  /** By the key of the tool that stands there upstream. */
  readonly exact: ReadonlyMap<string, PlannedTool>;
  readonly spellings: ReadonlyMap<string, PlannedTool | 'ambiguous'>;
}

/** Made when the first call comes back: most requests pass through and need none. */
function collectNames(planned: readonly PlannedTool[]): UpstreamNames {
  const exact = new Map<string, PlannedTool>();
  const spellings = new Map<string, PlannedTool | 'ambiguous'>();
  for (const tool of planned) {
    if (tool.tool.kind === 'hosted') continue;
    exact.set(toolKey({ namespace: besideNamespace(tool), name: tool.alias, kind: upstreamKind(tool) }), tool);
    register(spellings, tool.alias, tool, besideNamespace(tool) === undefined);
    for (const spelling of spellingsOf(tool.tool)) register(spellings, spelling, tool, false);
  }
  return { exact, spellings };
}

/** An upstream that answers in the tool's own kind, though it was given a function, needs no adapter for this call. */
function inKind(planned: PlannedTool, kind: string): PlannedTool | undefined {
  if (upstreamKind(planned) === kind) return planned;
  return planned.tool.kind === kind ? { ...planned, form: 'same' } : undefined;
}

const besideNamespace = ({ tool, form }: PlannedTool): string | undefined => (form === 'same' ? tool.namespace : undefined);
const upstreamKind = ({ tool, form }: PlannedTool): ToolKind => (form === 'same' ? tool.kind : 'function');

/** Real names outrank spellings; two spellings of different tools cancel each other. */
function register(spellings: Map<string, PlannedTool | 'ambiguous'>, spelling: string, tool: PlannedTool, real: boolean): void {
  const before = spellings.get(spelling);
  if (real) spellings.set(spelling, before !== undefined && before !== 'ambiguous' && isReal(before, spelling) ? 'ambiguous' : tool);
  else if (before === undefined) spellings.set(spelling, tool);
  else if (before !== tool && !(before !== 'ambiguous' && isReal(before, spelling))) spellings.set(spelling, 'ambiguous');
}

const isReal = (tool: PlannedTool, spelling: string): boolean => tool.alias === spelling && besideNamespace(tool) === undefined;

function spellingsOf({ namespace, name }: ToolName): readonly string[] {
  const spelt = SEPARATORS.map(separator => `${namespace ?? ROOT_NAMESPACE}${separator}${name}`);
  return namespace === ROOT_NAMESPACE ? [...spelt, name] : spelt;
}
