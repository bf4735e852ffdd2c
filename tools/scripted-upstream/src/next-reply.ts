/** Decides the model's next turn from the conversation alone, and judges the results that the conversation brings back. */
import { isDeepStrictEqual } from 'node:util';
import { chooseTool } from './choose-tool.ts';
import type { Conversation, OfferedTool, ToolResult } from './conversation.ts';
import type { PlannedCall, Reply } from './protocol.ts';
import { ANSWER, ANSWER_SCHEMA, callsOf, type Scenario, type ScriptedCall, STEPS, type StepName, SUB_AGENT_MARK, SUMMARY_MARK } from './scenario.ts';
import type { ServedUsage } from './usage.ts';

/** The step and the place of a call, as they stand in its id. */
const CALL_ID = new RegExp(`_(${STEPS.join('|')})_([0-9])_[0-9]{1,6}$`);

/** Null when the result is as it must be, else the sentence that says what was wrong. */
export interface Judged {
  readonly step: StepName;
  readonly place: number;
  readonly problem: string | null;
}

/** Who asks: the agent, a sub-agent that it started, or the client for its own purposes, such as a title or to sum up what was said. */
export type Asker = 'agent' | 'sub-agent' | 'client' | 'summary';

export interface Turn {
  readonly asker: Asker;
  /** Null when the script has ended, or is not the agent's. */
  readonly step: StepName | null;
  /** The agent is told that all is done. */
  readonly last: boolean;
  /** The context counts as full, until the client has made room. */
  readonly full: boolean;
  readonly calls: readonly PlannedCall[];
  readonly text: string;
}

const stepOf = (callId: string): StepName | undefined => CALL_ID.exec(callId)?.[1] as StepName | undefined;
const AGENT_ID = /"agent_id":\s*"([a-zA-Z0-9-]{1,64})"/;
const EXCERPT = 200;
/** How the clients ask for a summary of the conversation: Codex, Claude Code, OpenCode, pi. */
const SUMMARY_WANTED =
  /CONTEXT CHECKPOINT COMPACTION|Your task is to create a detailed summary of|anchored summary from the conversation history|<conversation>\n/;

function problemOf(call: ScriptedCall, result: ToolResult, conversation: Conversation): string | null {
  if (call.expects !== undefined && !result.text.includes(call.expects))
    return `the result lacks '${call.expects}': ${JSON.stringify(result.text.slice(0, EXCERPT))}`;
  if (call.image === undefined || [...result.images, ...conversation.images].includes(call.image)) return null;
  return `the image is not in the request; its text is ${JSON.stringify(result.text.slice(0, EXCERPT))}`;
}

/** Judges each result of a scripted call in the history. */
export function judge(conversation: Conversation, scenario: Scenario): readonly Judged[] {
  const script = callsOf(scenario);
  const ofResults = conversation.results.flatMap(result => {
    const step = stepOf(result.callId);
    const place = Number(CALL_ID.exec(result.callId)?.[2]);
    const call = step === undefined ? undefined : script[step][place];
    return step === undefined || call === undefined ? [] : [{ step, place, problem: problemOf(call, result, conversation) }];
  });
  return [...ofResults, ...judgeTold(conversation, script.fill), ...judgeForm(conversation)];
}

const isSummaryWanted = ({ userText }: Conversation): boolean => SUMMARY_WANTED.test(userText);
/** Clients put a summary into a message of the user or of the assistant. */
const isSummed = ({ userText, assistantText }: Conversation): boolean => `${userText}\n${assistantText}`.includes(SUMMARY_MARK);

/** The summary came back; and what the conversation that is to be summed up tells in its text of the last call before. */
function judgeTold(conversation: Conversation, fill: readonly ScriptedCall[]): readonly Judged[] {
  if (isSummed(conversation)) return [{ step: 'compact', place: 0, problem: null }];
  if (!isSummaryWanted(conversation)) return [];
  return fill.flatMap(({ expects = '' }, place) => (conversation.userText.includes(expects) ? [{ step: 'fill' as const, place, problem: null }] : []));
}

/** The form of the answer, as the request asks for it or as a tool's parameters; the answer itself is for the client. */
function judgeForm({ schema, tools }: Conversation): readonly Judged[] {
  const tool = chooseTool('answer', tools);
  if (schema === null && tool === undefined) return [];
  const right = schema === null ? isDeepStrictEqual(tool?.properties, Object.keys(ANSWER)) : isDeepStrictEqual(schema, ANSWER_SCHEMA);
  return [{ step: 'schema', place: 0, problem: right ? null : `the form of the answer is ${JSON.stringify(schema ?? tool)}` }];
}

/** What an agent step's results call the agents that they started. */
const agentIdsIn = (conversation: Conversation): readonly string[] =>
  conversation.results.flatMap(({ callId, text }) => (stepOf(callId) === 'agent' ? (AGENT_ID.exec(text)?.slice(1, 2) ?? []) : []));

function inputFor(call: ScriptedCall, tool: OfferedTool): string {
  if (tool.kind === 'custom') return call.freeform ?? '';
  const pick = (values: Readonly<Record<string, unknown>>, names: readonly string[]) => Object.entries(values).filter(([name]) => names.includes(name));
  return JSON.stringify(Object.fromEntries([...pick(call.values, tool.properties), ...pick(call.ifRequired ?? {}, tool.required)]));
}

/** A step for a client whose only tool runs scripts. */
const asCode = (call: ScriptedCall): ScriptedCall | undefined =>
  call.code === undefined ? undefined : { ...call, tool: 'code', values: { input: call.code }, freeform: call.code };

type CallId = (step: StepName, place: number) => string;

/** The first way to make the call for which a tool is offered. */
function planCall(call: ScriptedCall, tools: readonly OfferedTool[], id: string): PlannedCall | undefined {
  for (const way of [call, asCode(call)]) {
    const tool = way && chooseTool(way.tool, tools);
    if (tool !== undefined) return { id, name: tool.name, namespace: tool.namespace, kind: tool.kind, input: inputFor(way as ScriptedCall, tool) };
  }
  return undefined;
}

/** The calls of a step, or undefined when there are none to make: the request offers no tool for one of them, or takes one call at a time. */
function plan(step: StepName, scenario: Scenario, conversation: Conversation, id: CallId): readonly PlannedCall[] | undefined {
  const planned = callsOf(scenario, agentIdsIn(conversation))[step].map((call, place) => planCall(call, conversation.tools, id(step, place)));
  const possible = planned.length === 1 || (planned.length > 1 && conversation.parallel);
  return possible && planned.every(call => call !== undefined) ? planned : undefined;
}

/** Steps that need no turn any more: those in the history, those that a summary took out of it, and a search for what is there. */
function doneSteps(conversation: Conversation): ReadonlySet<StepName | undefined> {
  const done = new Set(conversation.calls.map(stepOf));
  if (isSummed(conversation)) for (const step of STEPS.slice(0, STEPS.indexOf('compact') + 1)) done.add(step);
  if (chooseTool('probe', conversation.tools) !== undefined) done.add('search');
  return done;
}

const aside = (asker: Asker, text: string, step: StepName | null = null): Turn => ({ asker, step, last: false, full: false, calls: [], text });

/** @param id makes the id of a call; it must end in `_<step>_<place>_<number>`. */
export function nextTurn(conversation: Conversation, scenario: Scenario, id: CallId): Turn {
  if (isSummaryWanted(conversation)) return aside('summary', `${SUMMARY_MARK}: all steps so far went well.`, 'compact');
  if (conversation.tools.length === 0) return aside('client', 'A short title');
  if (conversation.userText.includes(SUB_AGENT_MARK)) return aside('sub-agent', 'I am done.');
  const done = doneSteps(conversation);
  for (const step of (scenario.steps ?? STEPS).filter(name => !done.has(name))) {
    const calls = plan(step, scenario, conversation, id);
    const full = step === 'fill' || (done.has('fill') && !done.has('compact'));
    if (calls !== undefined) return { asker: 'agent', step, last: step === 'schema', full, calls, text: `Now the step ${step} – mit Ümlaut 😀.` };
  }
  const formed = conversation.schema !== null;
  const full = done.has('fill') && !done.has('compact');
  return { asker: 'agent', step: formed ? 'schema' : null, last: true, full, calls: [], text: formed ? JSON.stringify(ANSWER) : 'All steps are done. ✅' };
}

export const replyFor = (turn: Turn, conversation: Conversation, id: string, usage: ServedUsage | null): Reply => ({
  id,
  model: conversation.model,
  reasoning: conversation.wantsReasoning ? 'I think about it – kürz.' : null,
  text: turn.text,
  calls: turn.calls,
  usage,
});
