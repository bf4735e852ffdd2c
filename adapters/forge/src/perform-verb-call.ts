/**
 * Makes the calls of a verb for `runVerb`: what the descriptor has prepared goes through the same executor as any other call.
 */
import type { CallAnswer, ExecuteCall } from './execute-call.ts';
import type { CallPlanner } from './plan-call.ts';
import { failed, type Outcome } from './provider-failure.ts';
import type { CallContext } from './provider-options.ts';
import type { PerformCall, PreparedCall } from './run-verb.ts';
import type { WalkDocument } from './walk-document.ts';
import type { WalkPages } from './walk-pages.ts';

export interface PerformParts {
  readonly planner: CallPlanner;
  readonly execute: ExecuteCall;
  readonly walk: WalkPages;
  readonly walkDocument: WalkDocument;
}

/** Who asks; the verb and the signal come with each call. */
export type VerbContext = Omit<CallContext, 'signal' | 'capability'>;

export const createPerform =
  (parts: PerformParts, context: VerbContext): PerformCall =>
  async (call, signal) => {
    const outcome = await perform(parts, call, { ...context, signal, capability: call.verb });
    if (outcome.ok) return { ok: true, answer: outcome.value.value, status: outcome.value.status, headers: outcome.value.headers };
    return outcome;
  };

async function perform({ planner, execute, walk, walkDocument }: PerformParts, call: PreparedCall, context: CallContext): Promise<Outcome<CallAnswer>> {
  if (call.document !== undefined) {
    if (call.allPages) return walkDocument(call.document, call.args, context);
    const planned = planner.planDocument(call.document, call.args);
    return planned.ok ? execute(planned.value, context) : planned;
  }
  const found = planner.find(call.op ?? '');
  if (!found.ok) return found;
  const row = found.value;
  const common = Object.entries(call.commonArgs).filter(([name]) => row.parameters.some(parameter => parameter.name === name));
  const args = { ...Object.fromEntries(common), ...call.args, ...(call.body === undefined ? {} : { body: call.body }) };
  const form = { headers: call.headers, expect: call.expect };
  if (call.allPages) return joined(walk(row.id, args, { ...context, ...form }));
  const planned = planner.plan(row, args, form);
  return planned.ok ? execute(planned.value, context) : planned;
}

/** The last answer, with the entries of all pages as its value. */
async function joined(pages: ReturnType<WalkPages>): Promise<Outcome<CallAnswer>> {
  const items: unknown[] = [];
  let last: CallAnswer | undefined;
  for await (const page of pages) {
    if (!page.ok) return page;
    for (const item of page.value.items) items.push(item);
    last = page.value.answer;
  }
  return last === undefined ? failed('Unavailable', 'the list has no page') : { ok: true, value: { ...last, value: items } };
}
