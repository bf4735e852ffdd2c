export { FAULT_NAMES, type FaultName } from './faults.ts';
export type { ProtocolName } from './protocol.ts';
export type { Recording, SeenRequest, Verdict } from './recording.ts';
export { ANSWER, ANSWER_SCHEMA, EDITED_FILE, EDITED_TEXT, PICTURE_FILE, PROBE_TOOL, PROBE_WORD, type Scenario, STEPS, type StepName } from './scenario.ts';
export { type ScriptedUpstream, type ScriptedUpstreamOptions, startScriptedUpstream } from './start-scripted-upstream.ts';
export { inputTokens, outputTokens, type ServedUsage } from './usage.ts';
