/**
 * Which generation of Codex's sub-agent tools a request declares (MOD-9). Recognised by the namespace and the set of its
 * children's names; the schemas of the children change with every release and are never compared.
 */
import type { ToolName } from './tool-declaration.ts';

export type Collaboration = { readonly version: 'v1' | 'v2' | 'none' } | { readonly problem: string };

interface Generation {
  readonly version: 'v1' | 'v2';
  readonly namespace: string;
  /** Names that only this generation has. */
  readonly own: ReadonlySet<string>;
}

const SHARED = new Set(['spawn_agent', 'wait_agent']);
const GENERATIONS: readonly Generation[] = [
  { version: 'v1', namespace: 'multi_agent_v1', own: new Set(['close_agent', 'resume_agent', 'send_input']) },
  { version: 'v2', namespace: 'collaboration', own: new Set(['followup_task', 'interrupt_agent', 'list_agents', 'send_message']) },
];

/** Tools of other namespaces play no part, even where a child has one of these names. */
export function readCollaboration(tools: readonly ToolName[]): Collaboration {
  const seen: Generation[] = [];
  for (const generation of GENERATIONS) {
    const children = tools.filter(tool => tool.namespace === generation.namespace).map(tool => tool.name);
    if (children.length === 0) continue;
    const foreign = children.find(child => isForeign(child, generation));
    if (foreign !== undefined) return { problem: `The namespace ${generation.namespace} holds ${foreign}, which belongs to the other generation.` };
    if (children.some(child => generation.own.has(child) || SHARED.has(child))) seen.push(generation);
  }
  if (seen.length > 1) return { problem: 'The request declares both generations of collaboration tools, multi_agent_v1 and collaboration.' };
  return { version: seen[0]?.version ?? 'none' };
}

const isForeign = (child: string, generation: Generation): boolean => GENERATIONS.some(other => other !== generation && other.own.has(child));
