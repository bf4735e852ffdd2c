/** A call of the history as it goes upstream: its alias, and its input in the alias's form. */
import { type PlannedTool, sayTool, sealEnvelope } from '@weir/tool-plan';
import type { Conversion } from './conversion.ts';
import { RequestProblem } from './gateway-failure.ts';
import type { CallItem } from './item.ts';
import { type JsonObject, isObject, parseJson } from './json.ts';

export interface UpstreamCall {
  readonly planned: PlannedTool;
  /** JSON text of the arguments, or the freeform input of a tool that stays freeform. */
  readonly input: string;
}

/** @throws RequestProblem when the route takes no form of the tool: a call cannot be left out of a history. */
export function upstreamCall({ tool, input }: CallItem, { plan }: Conversion): UpstreamCall {
  const planned = plan.toUpstream(tool);
  if (planned === undefined) throw new RequestProblem('unsupported_history', `The history calls ${sayTool(tool)}, which the route cannot take in any form.`);
  return { planned, input: planned.form === 'envelope' ? sealEnvelope(input) : input };
}

/** Arguments as an object, for Messages. Text that is no object comes from a call that failed; it stays readable as one field. */
export function argumentsObject(input: string): JsonObject {
  const value = input.trim() === '' ? {} : parseJson(input);
  return isObject(value) ? value : { invalid_arguments: input };
}
