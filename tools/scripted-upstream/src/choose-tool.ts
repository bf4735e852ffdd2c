/**
 * Which of the offered tools does what a step wants: one row for each kind of tool, with its name in each client.
 * A gateway may have put an alias in place of a name, so a name may also stand in front of a suffix or behind a namespace.
 */
import type { OfferedTool } from './conversation.ts';

export type WantedTool = 'shell' | 'edit' | 'probe' | 'search' | 'image' | 'agent' | 'wait' | 'answer' | 'code';

/** Codex, Claude Code, then OpenCode and pi. */
const NAMES: Readonly<Record<WantedTool, readonly string[]>> = {
  shell: ['exec_command', 'Bash', 'bash'],
  edit: ['apply_patch', 'Write', 'write'],
  image: ['view_image', 'Read', 'read'],
  probe: ['weir_probe'],
  agent: ['spawn_agent', 'Agent', 'task'],
  wait: ['wait_agent'],
  search: ['tool_search', 'ToolSearch'],
  answer: ['StructuredOutput'],
  code: ['exec'],
};

const HASHED = /_[0-9a-f]{8}$/;

/** @returns the tool with the very name, else one whose name is it with a hash behind or a namespace before, else undefined. */
export function chooseTool(wanted: WantedTool, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const names = NAMES[wanted];
  const exact = names.map(name => tools.find(tool => tool.name === name)).find(tool => tool !== undefined);
  return (
    exact ?? names.map(name => tools.find(tool => tool.name.replace(HASHED, '') === name || tool.name.endsWith(`_${name}`))).find(tool => tool !== undefined)
  );
}
