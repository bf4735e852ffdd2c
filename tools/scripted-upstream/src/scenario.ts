/**
 * What the scripted model does with an agent, turn by turn, and what must come back for a step to count.
 * A step is known again by its name in the ids of its calls, so the upstream keeps no state of its own and a repeated request gets the same turn.
 */
import type { WantedTool } from './choose-tool.ts';

/** In their order. A step that no offered tool can do is passed over. */
export const STEPS = ['shell', 'edit', 'parallel', 'search', 'mcp', 'image', 'agent', 'wait'] as const;
export type StepName = (typeof STEPS)[number];

export interface ScriptedCall {
  readonly tool: WantedTool;
  /** Values by the name of the parameter; only those that the offered schema declares are sent. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The same for parameters that are sent only where the schema requires them. */
  readonly ifRequired?: Readonly<Record<string, unknown>>;
  /** The text for a tool that takes free text. */
  readonly freeform?: string;
  /** Must stand in the result. */
  readonly expects?: string;
  /** Base64 of the image that must come with the result, or in a message of the user after it. */
  readonly image?: string;
}

export interface Scenario {
  /** Absolute folder that the agent works in; for tools that take absolute paths. */
  readonly workspace: string;
  /** Base64 of the picture at `PICTURE_FILE` in the workspace, and of the one that the probe returns. */
  readonly picture: string;
  readonly probePicture: string;
}

/** Stands in the prompt of a sub-agent, which has nothing to do but to answer. */
export const SUB_AGENT_MARK = 'WEIR-SUB-AGENT';

/** The file that the edit step writes, and its exact content. */
export const EDITED_FILE = 'notes/héllo.txt';
export const EDITED_TEXT = 'line one — ünïcode 😀\nline two "quoted" \\ backslash\n';
export const PICTURE_FILE = 'picture.png';
/** Part of the name of the tool that the harness' own MCP server offers, in whatever namespace or prefix a client puts it. */
export const PROBE_TOOL = 'weir_probe';
export const PROBE_WORD = 'lantern';

const PATCH = `*** Begin Patch\n*** Add File: ${EDITED_FILE}\n${EDITED_TEXT.trimEnd()
  .split('\n')
  .map(line => `+${line}\n`)
  .join('')}*** End Patch`;

/** A command whose result does not stand in the command, so that an echo of the arguments never passes for a run. */
const sum = (label: string, left: number, right: number): ScriptedCall => {
  const command = `echo ${label}-$((${left}+${right}))`;
  return { tool: 'shell', values: { cmd: command, command, description: `Print ${label}` }, expects: `${label}-${left + right}` };
};
const paths = (path: string) => ({ path, file_path: path, filePath: path });

const SUB_AGENT = `${SUB_AGENT_MARK}: say that you are done.`;

/** @param agentIds what the agent step's results call the agents that they started; only a client that waits for them has such. */
export const callsOf = (
  { workspace, picture, probePicture }: Scenario,
  agentIds: readonly string[] = [],
): Readonly<Record<StepName, readonly ScriptedCall[]>> => ({
  shell: [sum('weir-alone', 40, 2)],
  edit: [{ tool: 'edit', values: { ...paths(`${workspace}/${EDITED_FILE}`), content: EDITED_TEXT, input: PATCH }, freeform: PATCH }],
  parallel: [sum('weir-first', 10, 1), sum('weir-second', 20, 2)],
  search: [{ tool: 'search', values: { query: `${PROBE_TOOL} spawn_agent wait_agent`, limit: 9, max_results: 9 }, expects: PROBE_TOOL }],
  mcp: [{ tool: 'probe', values: { word: PROBE_WORD }, expects: `probe heard ${PROBE_WORD}`, image: probePicture }],
  image: [{ tool: 'image', values: paths(`${workspace}/${PICTURE_FILE}`), image: picture }],
  agent: [
    {
      tool: 'agent',
      values: { message: SUB_AGENT, prompt: SUB_AGENT, description: 'Say done', run_in_background: false },
      ifRequired: { subagent_type: 'general' },
    },
  ],
  wait: [{ tool: 'wait', values: { targets: agentIds, timeout_ms: 60_000 } }],
});
