/** Everything that the steps of one conversion share. */
import type { CapabilityFacts, ToolCompatibilityPlan, WireProtocol } from '@weir/tool-plan';
import type { Diagnostics } from './diagnostics.ts';
import type { ModelRequest } from './model-request.ts';

export interface Conversion {
  readonly request: ModelRequest;
  readonly plan: ToolCompatibilityPlan;
  readonly facts: CapabilityFacts;
  readonly upstream: WireProtocol;
  /** Tag of the route, which seals reasoning; the same for every request of one route. */
  readonly route: string;
  readonly diagnostics: Diagnostics;
}

/** Client and upstream speak one protocol, so that what the form does not know can stay as it is. */
export const isNative = ({ request, upstream }: Conversion): boolean => request.protocol === upstream;
