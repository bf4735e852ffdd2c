/** The plans of the last calls of this process, for `POST /v1/route/plan` with a reference (MOD-18). Names and reasons, no payloads. */
import type { UpstreamProtocol } from '@weir/contract';
import type { ToolCompatibilityPlan } from '@weir/tool-plan';
import { type Diagnostic, type PlanRow, planRows } from '@weir/wire';
import type { PlannedRoute } from './route-book.ts';

/** Calls whose plans are kept. */
const MAX_KEPT = 500;

export interface CallPlan {
  readonly planned: PlannedRoute;
  readonly client: UpstreamProtocol;
  readonly plan: ToolCompatibilityPlan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly passthrough: boolean;
}

/** What an operator sees of a plan. */
export interface PlanDocument {
  readonly route: {
    readonly modelProvider: string;
    readonly model: string;
    readonly upstreamModel: string;
    readonly protocol: UpstreamProtocol;
    readonly endpoint: string;
    readonly pricing: 'metered' | 'unmetered';
  };
  readonly client: UpstreamProtocol;
  readonly passthrough: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly tools: readonly PlanRow[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface PlanBook {
  keep(callRef: string, plan: CallPlan): void;
  get(callRef: string): PlanDocument | undefined;
}

export function createPlanBook(): PlanBook {
  const kept = new Map<string, PlanDocument>();
  return {
    keep(callRef, plan) {
      kept.set(callRef, planDocument(plan));
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    },
    get: callRef => kept.get(callRef),
  };
}

export function planDocument({ planned, client, plan, diagnostics, passthrough }: CallPlan): PlanDocument {
  const { route } = planned;
  const tools = planRows(plan);
  const counts: Record<string, number> = {};
  for (const { disposition } of tools) counts[disposition] = (counts[disposition] ?? 0) + 1;
  return {
    route: {
      modelProvider: route.modelProvider,
      model: route.callerModel,
      upstreamModel: route.model,
      protocol: route.protocol,
      endpoint: route.endpoint,
      pricing: route.price.mode,
    },
    client,
    passthrough,
    counts,
    tools,
    diagnostics,
  };
}
