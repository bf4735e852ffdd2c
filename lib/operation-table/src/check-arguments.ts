/**
 * Holds a call's arguments against the row of its operation (PRV-9), before anything is sent. Every problem is named, not the
 * first alone.
 */
import type { ArgumentProblem } from './argument-problem.ts';
import { checkBody, type GivenValue, nearEnum } from './check-body.ts';
import { checkParameter } from './check-parameter.ts';
import { isJson } from './check-value.ts';
import type { CheckedArguments, ParameterValue } from './checked-arguments.ts';
import { nearestName } from './near-name.ts';
import { type FieldSlot, type OperationPlan, type ParameterSlot, planOf } from './operation-plan.ts';
import { MAX_BODY_FIELDS, MAX_PARAMETERS, type OperationRow } from './operation-row.ts';
import { isTransportHeader } from './transport-header.ts';

export type ArgumentCheck = { readonly ok: true; readonly checked: CheckedArguments } | { readonly ok: false; readonly problems: readonly ArgumentProblem[] };

/** Names of one call; more can't all be parameters and fields. */
const MAX_ARGUMENTS = 2 * (MAX_PARAMETERS + MAX_BODY_FIELDS);

/**
 * Names: a parameter or a body field by its own name, the first of path, query, header and body that has it; another one by
 * its qualified name (`body.name`, `query.id`). `body` is the whole body, but where the row has a parameter or field of that
 * name it is that one. A field that an open body does not describe is given as `body.<field>`.
 * A value that is undefined is not given, and so is null for a parameter; null for a field is sent where the field is nullable.
 * `fromCommandLine`: text is also taken for a number, a truth value or a list of one, where the row asks for these.
 */
export const checkArguments = (
  row: OperationRow,
  args: Readonly<Record<string, unknown>>,
  { fromCommandLine = false }: { readonly fromCommandLine?: boolean } = {},
): ArgumentCheck => {
  const plan = planOf(row);
  const problems: ArgumentProblem[] = [...plan.defects];
  const given = sortArguments(row, plan, args, problems);
  const values = new Map<ParameterSlot, unknown>();
  for (const [slot, one] of given.parameters) {
    const value = checkOne(slot, one, fromCommandLine, problems);
    if (value !== undefined) values.set(slot, value);
  }
  problems.push(...missingParameters(plan, given.parameters, values));
  const body = checkBody({ body: row.body, plan, fromCommandLine }, given, problems);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, checked: { path: pathValues(plan, values), query: inOrder(plan.query, values), headers: inOrder(plan.headers, values), body } };
};

function missingParameters(plan: OperationPlan, given: ReadonlyMap<ParameterSlot, GivenValue>, values: ReadonlyMap<ParameterSlot, unknown>): ArgumentProblem[] {
  const problems: ArgumentProblem[] = [];
  for (const slot of plan.required) {
    const { name, in: place } = slot.parameter;
    if (!given.has(slot)) problems.push({ argument: name, code: 'missing', reason: `is required in the ${place}` });
    else if (place === 'path' && values.get(slot) === '' && slot !== plan.mayBeEmpty) {
      problems.push({ argument: name, code: 'missing', reason: 'must not be empty' });
    }
  }
  return problems;
}

function pathValues({ pieces }: OperationPlan, values: ReadonlyMap<ParameterSlot, unknown>): Map<string, unknown> {
  const path = new Map<string, unknown>();
  for (const piece of pieces) if (typeof piece === 'object') path.set(piece.parameter.name, values.get(piece) ?? '');
  return path;
}

function inOrder(slots: readonly ParameterSlot[], values: ReadonlyMap<ParameterSlot, unknown>): ParameterValue[] {
  const found: ParameterValue[] = [];
  for (const slot of slots) {
    const value = values.get(slot);
    if (value !== undefined) found.push({ parameter: slot.parameter, value });
  }
  return found;
}

function checkOne(slot: ParameterSlot, { argument, value }: GivenValue, fromCommandLine: boolean, problems: ArgumentProblem[]): unknown {
  const { parameter } = slot;
  if (parameter.in === 'header' && isTransportHeader(parameter.name)) {
    problems.push({ argument, code: 'credential', reason: 'this header is set by the transport and never by an argument' });
    return undefined;
  }
  const verdict = checkParameter(parameter, value, fromCommandLine);
  if (verdict.ok) return verdict.value;
  problems.push({ argument, code: verdict.code, reason: verdict.reason, ...nearEnum(parameter, value) });
  return undefined;
}

interface SortedArguments {
  readonly parameters: Map<ParameterSlot, GivenValue>;
  readonly fields: Map<FieldSlot, GivenValue>;
  readonly extra: [string, unknown][];
  whole: GivenValue | undefined;
}

function sortArguments(row: OperationRow, plan: OperationPlan, args: Readonly<Record<string, unknown>>, problems: ArgumentProblem[]): SortedArguments {
  const sorted: SortedArguments = { parameters: new Map(), fields: new Map(), extra: [], whole: undefined };
  const names = Object.keys(args);
  if (names.length > MAX_ARGUMENTS) {
    problems.push({ argument: '', code: 'too-large', reason: `more than ${MAX_ARGUMENTS} arguments` });
    return sorted;
  }
  for (const argument of names) {
    const value = args[argument];
    if (value === undefined) continue;
    const slot = plan.names.get(argument);
    const one = { argument, value };
    if (slot === undefined) sortUnknown(row, plan, one, { sorted, problems });
    else if (slot.kind === 'whole-body') sorted.whole = one;
    else if (slot.kind === 'field') putOnce(sorted.fields, slot, one, problems);
    else if (value !== null) putOnce(sorted.parameters, slot, one, problems);
  }
  return sorted;
}

function putOnce<Slot>(into: Map<Slot, GivenValue>, slot: Slot, one: GivenValue, problems: ArgumentProblem[]): void {
  if (into.has(slot)) problems.push({ argument: one.argument, code: 'twice', reason: 'is given under two names' });
  else into.set(slot, one);
}

/** A name that the row does not have: a field of an open body when it says so, else refused with the nearest name. */
function sortUnknown(row: OperationRow, plan: OperationPlan, one: GivenValue, to: { sorted: SortedArguments; problems: ArgumentProblem[] }): void {
  const open = row.body !== undefined && !row.body.closed && row.body.shape !== 'array';
  if (open && one.argument.startsWith('body.')) {
    if (isJson(one.value)) to.sorted.extra.push([one.argument.slice('body.'.length), one.value]);
    else to.problems.push({ argument: one.argument, code: 'type', reason: 'must be a JSON value of bounded size' });
    return;
  }
  const suggestion = nearestName(one.argument, plan.names.keys());
  const way = open ? '; a field that the description does not name is given as `body.<field>`' : '';
  to.problems.push({
    argument: one.argument,
    code: 'unknown',
    reason: `${row.id} has no such argument${way}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}
