/**
 * What the scripted model does with an agent, turn by turn, and what must come back for a step to count.
 * A step is known again by its name in the ids of its calls, so the upstream keeps no state of its own and a repeated request gets the same turn.
 */
import type { WantedTool } from './choose-tool.ts';

/**
 * In their order. A step that no offered tool can do is passed over. `fill` is a call whose reply counts a full context, `compact` the client's own
 * answer to that, and `schema` the answer in a form that the client gave.
 */
export const STEPS = ['shell', 'edit', 'parallel', 'search', 'mcp', 'image', 'agent', 'wait', 'fill', 'compact', 'schema'] as const;
export type StepName = (typeof STEPS)[number];

export interface ScriptedCall {
  readonly tool: WantedTool;
  /** Values by the name of the parameter; only those that the offered schema declares are sent. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The same for parameters that are sent only where the schema requires them. */
  readonly ifRequired?: Readonly<Record<string, unknown>>;
  /** The text for a tool that takes free text. */
  readonly freeform?: string;
  /** The same as a script, for a client whose only tool runs scripts that call its other tools. */
  readonly code?: string;
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
  /** Those that the script consists of; all of them where it is not said. */
  readonly steps?: readonly StepName[];
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
/** What the model answers when a client lets it sum up the conversation; it stands in the requests after that. */
export const SUMMARY_MARK = 'WEIR-SUMMARY';
/** The form of the last answer that a client is told to ask for, and that answer. */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: { verdict: { type: 'string' }, count: { type: 'integer' } },
  required: ['verdict', 'count'],
  additionalProperties: false,
} as const;
export const ANSWER = { verdict: 'weir-verdict-48', count: 48 } as const;

const PATCH = `*** Begin Patch\n*** Add File: ${EDITED_FILE}\n${EDITED_TEXT.trimEnd()
  .split('\n')
  .map(line => `+${line}\n`)
  .join('')}*** End Patch`;

/** A command whose result does not stand in the command, so that an echo of the arguments never passes for a run. */
const sum = (label: string, left: number, right: number): ScriptedCall => {
  const command = `echo ${label}-$((${left}+${right}))`;
  return {
    tool: 'shell',
    values: { cmd: command, command, description: `Print ${label}` },
    code: `text((await tools.exec_command({ cmd: ${JSON.stringify(command)} })).output);`,
    expects: `${label}-${left + right}`,
  };
};
const paths = (path: string) => ({ path, file_path: path, filePath: path });

const SUB_AGENT = `${SUB_AGENT_MARK}: say that you are done.`;

const PROBE_CODE = `const { content } = await tools.mcp__probe__${PROBE_TOOL}({ word: '${PROBE_WORD}' });
for (const part of content) part.type === 'text' ? text(part.text) : image(part);`;

/** @param agentIds what the agent step's results call the agents that they started; only a client that waits for them has such. */
export const callsOf = (
  { workspace, picture, probePicture }: Scenario,
  agentIds: readonly string[] = [],
): Readonly<Record<StepName, readonly ScriptedCall[]>> => ({
  shell: [sum('weir-alone', 40, 2)],
  edit: [
    {
      tool: 'edit',
      values: { ...paths(`${workspace}/${EDITED_FILE}`), content: EDITED_TEXT, input: PATCH },
      freeform: PATCH,
      code: `text(await tools.apply_patch(${JSON.stringify(PATCH)}));`,
    },
  ],
  parallel: [sum('weir-first', 10, 1), sum('weir-second', 20, 2)],
  search: [{ tool: 'search', values: { query: `${PROBE_TOOL} spawn_agent wait_agent`, limit: 9, max_results: 9 }, expects: PROBE_TOOL }],
  mcp: [{ tool: 'probe', values: { word: PROBE_WORD }, code: PROBE_CODE, expects: `probe heard ${PROBE_WORD}`, image: probePicture }],
  image: [
    {
      tool: 'image',
      values: paths(`${workspace}/${PICTURE_FILE}`),
      code: `image(await tools.view_image({ path: ${JSON.stringify(`${workspace}/${PICTURE_FILE}`)} }));`,
      image: picture,
    },
  ],
  agent: [
    {
      tool: 'agent',
      values: { message: SUB_AGENT, prompt: SUB_AGENT, description: 'Say done', run_in_background: false },
      ifRequired: { subagent_type: 'general', task_name: 'weir_sub_agent' },
    },
  ],
  wait: [{ tool: 'wait', values: { targets: agentIds, timeout_ms: 60_000 } }],
  fill: [sum('weir-full', 30, 3)],
  compact: [],
  schema: [{ tool: 'answer', values: ANSWER }],
});
