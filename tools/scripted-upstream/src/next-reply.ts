/** Decides the model's next turn from the conversation alone, and judges the results that the conversation brings back. */
import { chooseTool } from './choose-tool.ts';
import type { Conversation, OfferedTool, ToolResult } from './conversation.ts';
import type { PlannedCall, Reply } from './protocol.ts';
import { callsOf, type Scenario, type ScriptedCall, STEPS, type StepName, SUB_AGENT_MARK } from './scenario.ts';
import type { ServedUsage } from './usage.ts';

/** The step and the place of a call, as they stand in its id. */
const CALL_ID = new RegExp(`_(${STEPS.join('|')})_([0-9])_[0-9]{1,6}$`);

/** Null when the result is as it must be, else the sentence that says what was wrong. */
export interface Judged {
  readonly step: StepName;
  readonly place: number;
  readonly problem: string | null;
}

/** Who asks: the agent, a sub-agent that it started, or the client for its own purposes, such as a title. */
export type Asker = 'agent' | 'sub-agent' | 'client';

export interface Turn {
  readonly asker: Asker;
  /** Null when the script has ended, or is not the agent's. */
  readonly step: StepName | null;
  readonly calls: readonly PlannedCall[];
  readonly text: string;
}

const stepOf = (callId: string): StepName | undefined => CALL_ID.exec(callId)?.[1] as StepName | undefined;
const AGENT_ID = /"agent_id":\s*"([a-zA-Z0-9-]{1,64})"/;
const EXCERPT = 200;

function problemOf(call: ScriptedCall, result: ToolResult, conversation: Conversation): string | null {
  if (call.expects !== undefined && !result.text.includes(call.expects))
    return `the result lacks '${call.expects}': ${JSON.stringify(result.text.slice(0, EXCERPT))}`;
  if (call.image === undefined || [...result.images, ...conversation.images].includes(call.image)) return null;
  return `the image is not in the request; its text is ${JSON.stringify(result.text.slice(0, EXCERPT))}`;
}

/** Judges each result of a scripted call in the history. */
export function judge(conversation: Conversation, scenario: Scenario): readonly Judged[] {
  const script = callsOf(scenario);
  return conversation.results.flatMap(result => {
    const step = stepOf(result.callId);
    const place = Number(CALL_ID.exec(result.callId)?.[2]);
    const call = step === undefined ? undefined : script[step][place];
    return step === undefined || call === undefined ? [] : [{ step, place, problem: problemOf(call, result, conversation) }];
  });
}

/** What an agent step's results call the agents that they started. */
const agentIdsIn = (conversation: Conversation): readonly string[] =>
  conversation.results.flatMap(({ callId, text }) => (stepOf(callId) === 'agent' ? (AGENT_ID.exec(text)?.slice(1, 2) ?? []) : []));

function inputFor(call: ScriptedCall, tool: OfferedTool): string {
  if (tool.kind === 'custom') return call.freeform ?? '';
  const pick = (values: Readonly<Record<string, unknown>>, names: readonly string[]) => Object.entries(values).filter(([name]) => names.includes(name));
  return JSON.stringify(Object.fromEntries([...pick(call.values, tool.properties), ...pick(call.ifRequired ?? {}, tool.required)]));
}

type CallId = (step: StepName, place: number) => string;

/** The calls of a step, or undefined when the request offers no tool for one of them. */
function plan(step: StepName, scenario: Scenario, conversation: Conversation, id: CallId): readonly PlannedCall[] | undefined {
  const planned = callsOf(scenario, agentIdsIn(conversation))[step].map((call, place): PlannedCall | undefined => {
    const tool = chooseTool(call.tool, conversation.tools);
    return tool && { id: id(step, place), name: tool.name, namespace: tool.namespace, kind: tool.kind, input: inputFor(call, tool) };
  });
  return planned.every(call => call !== undefined) ? planned : undefined;
}

/** @param id makes the id of a call; it must end in `_<step>_<place>_<number>`. */
export function nextTurn(conversation: Conversation, scenario: Scenario, id: CallId): Turn {
  if (conversation.tools.length === 0) return { asker: 'client', step: null, calls: [], text: 'A short title' };
  const done = new Set(conversation.calls.map(stepOf));
  if (done.size === 0 && conversation.userText.includes(SUB_AGENT_MARK)) return { asker: 'sub-agent', step: null, calls: [], text: 'I am done.' };
  if (chooseTool('probe', conversation.tools) !== undefined) done.add('search');
  for (const step of STEPS.filter(name => !done.has(name))) {
    const calls = plan(step, scenario, conversation, id);
    if (calls !== undefined) return { asker: 'agent', step, calls, text: `Now the step ${step} – mit Ümlaut 😀.` };
  }
  return { asker: 'agent', step: null, calls: [], text: 'All steps are done. ✅' };
}

export const replyFor = (turn: Turn, conversation: Conversation, id: string, usage: ServedUsage | null): Reply => ({
  id,
  model: conversation.model,
  reasoning: conversation.wantsReasoning ? 'I think about it – kürz.' : null,
  text: turn.text,
  calls: turn.calls,
  usage,
});
