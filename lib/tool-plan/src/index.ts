export { type CapabilityFacts, DEFAULT_FACTS, PROTOCOLS, type WireProtocol } from './capability-facts.ts';
export { createFreeformDecoder, type FreeformDecoder } from './freeform-decoder.ts';
export { ENVELOPE_FIELD, envelopeDescription, envelopeParameters, sealEnvelope } from './freeform-envelope.ts';
export { MAX_TOOLS } from './inventory.ts';
export {
  type Disposition,
  type PlanEntry,
  type PlanFailure,
  type PlanInput,
  planTools,
  type ToolCompatibilityPlan,
} from './plan-tools.ts';
export type { PlannedTool } from './planned-tool.ts';
export { type FactsReading, readFacts } from './read-facts.ts';
export type { ToolChoice } from './tool-choice.ts';
export { sayTool, type ToolDeclaration, type ToolKind, toolKey, type ToolName, type ToolSource } from './tool-declaration.ts';
export type { PlanSides, ToolForm } from './tool-form.ts';
export type { ToolLookUp } from './tool-look-up.ts';
