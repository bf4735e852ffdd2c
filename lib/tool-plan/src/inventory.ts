/**
 * All tools of one request, from all places (MOD-7), each once. The same tool may be declared again by a later search;
 * two different declarations side by side are a contradiction.
 */
import { sayTool, type ToolDeclaration, type ToolName, type ToolSource, toolKey } from './tool-declaration.ts';

/** Declarations and history names that one request may hold. */
export const MAX_TOOLS = 4096;

export type Inventory = { readonly declarations: readonly ToolDeclaration[]; readonly gone: readonly ToolName[] } | { readonly problem: string };

/** A later search replaces an earlier one; the top of the request outranks both. */
const RANK: Readonly<Record<ToolSource, number>> = { tool_search_output: 0, additional_tools: 1, tools: 2 };

/** @param used names of calls in the history; those without a declaration come back as `gone`. */
export function takeInventory(declared: readonly ToolDeclaration[], used: readonly ToolName[]): Inventory {
  if (declared.length + used.length > MAX_TOOLS) return { problem: `The request declares and calls more than ${MAX_TOOLS} tools.` };
  const kept = new Map<string, ToolDeclaration>();
  for (const tool of declared) {
    if (tool.name === '') return { problem: `A ${tool.kind} tool has no name.` };
    const before = kept.get(toolKey(tool));
    if (before !== undefined && contradict(before, tool)) return { problem: `The tool ${sayTool(tool)} is declared twice, with different contents.` };
    kept.set(toolKey(tool), before === undefined || RANK[tool.source] >= RANK[before.source] ? tool : before);
  }
  const gone = new Map(used.filter(tool => !kept.has(toolKey(tool))).map(tool => [toolKey(tool), tool]));
  return { declarations: [...kept.values()], gone: [...gone.values()] };
}

/** Two searches may find one tool in two versions; within one list, both cannot be meant. */
const contradict = (a: ToolDeclaration, b: ToolDeclaration): boolean =>
  a.source === b.source && a.source !== 'tool_search_output' && JSON.stringify(a.wire) !== JSON.stringify(b.wire);
