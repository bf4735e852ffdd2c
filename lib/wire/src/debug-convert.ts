/** What `weir debug convert` prints: the plan row by row with the upstream body, or the error that the client would get. */
import { type PlanEntry, readFacts, type ToolCompatibilityPlan, type WireProtocol } from '@weir/tool-plan';
import { clientError } from './client-error.ts';
import { convertRequest } from './convert-request.ts';
import type { Diagnostic } from './diagnostics.ts';
import { permanent } from './gateway-failure.ts';
import { type JsonObject, parseJson } from './json.ts';

export interface PlanRow {
  readonly namespace: string | null;
  readonly name: string;
  readonly kind: string;
  readonly disposition: string;
  readonly alias: string | null;
  readonly reason: string;
}

export type DebugConversion =
  | { readonly plan: readonly PlanRow[]; readonly body: JsonObject; readonly passthrough: boolean; readonly diagnostics: readonly Diagnostic[] }
  | { readonly plan: readonly PlanRow[]; readonly error: { readonly status: number; readonly body: JsonObject } }
  /** The facts themselves are wrong, which is the operator's fault and not the client's. */
  | { readonly problem: string };

export interface DebugInput {
  readonly client: WireProtocol;
  readonly upstream: WireProtocol;
  /** Parsed facts file; undefined for the defaults. */
  readonly facts: unknown;
  /** Text of the request body. */
  readonly request: string;
}

export function debugConvert({ client, upstream, facts, request }: DebugInput): DebugConversion {
  const read = readFacts(facts, upstream);
  if ('problem' in read) return read;
  const body = parseJson(request);
  if (body === undefined) return { plan: [], error: clientError(client, permanent('invalid_request', 'The body is not JSON.')) };
  const result = convertRequest({ client, upstream, facts: read.facts, body });
  if ('failure' in result) return { plan: planRows(result.plan), error: clientError(client, result.failure) };
  const { converted } = result;
  return { plan: planRows(converted.plan), body: converted.body, passthrough: converted.passthrough, diagnostics: converted.diagnostics };
}

/** One row for each declaration; no payloads (MOD-18). */
export const planRows = (plan: ToolCompatibilityPlan | undefined): readonly PlanRow[] => (plan?.entries ?? []).map(planRow);

const planRow = ({ declaration, disposition, reason, planned }: PlanEntry): PlanRow => ({
  namespace: declaration.namespace ?? null,
  name: declaration.name,
  kind: declaration.kind,
  disposition,
  alias: planned?.alias ?? null,
  reason,
});
