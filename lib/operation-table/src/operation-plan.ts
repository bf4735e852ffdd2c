/**
 * A row made ready for use: its path cut into pieces, its names in one index, and what the executor can't build of it.
 * Made at the first use of a row and kept as long as the row.
 */
import type { ArgumentProblem } from './argument-problem.ts';
import { type BodyField, MAX_BODY_FIELDS, MAX_PARAMETERS, type OperationParameter, type OperationRow } from './operation-row.ts';
import { rowDefects } from './row-defects.ts';

/** What a name of the arguments stands for. One object for each parameter and field, so it is a key of its value too. */
export type ArgumentSlot =
  | { readonly kind: 'parameter'; readonly parameter: OperationParameter }
  | { readonly kind: 'field'; readonly field: BodyField }
  | { readonly kind: 'whole-body' };

export type ParameterSlot = Extract<ArgumentSlot, { kind: 'parameter' }>;
export type FieldSlot = Extract<ArgumentSlot, { kind: 'field' }>;

/** A piece of the path: text that is ready for a URL, or the place of a parameter. */
export type PathPiece = string | ParameterSlot;

export interface OperationPlan {
  readonly pieces: readonly PathPiece[];
  readonly query: readonly ParameterSlot[];
  readonly headers: readonly ParameterSlot[];
  readonly fields: readonly FieldSlot[];
  /** Required parameters, and every path parameter but the one that may be empty, whatever the row says of it. */
  readonly required: readonly ParameterSlot[];
  /** Every accepted name: the bare ones first, then `path.x`, `query.x`, `header.x`, `body.x`. */
  readonly names: ReadonlyMap<string, ArgumentSlot>;
  /** The path parameter that may be empty: several segments at the very end. */
  readonly mayBeEmpty: ParameterSlot | undefined;
  readonly defects: readonly ArgumentProblem[];
}

const plans = new WeakMap<OperationRow, OperationPlan>();

export const planOf = (row: OperationRow): OperationPlan => {
  const known = plans.get(row);
  if (known !== undefined) return known;
  const made = makePlan(row);
  plans.set(row, made);
  return made;
};

function makePlan(row: OperationRow): OperationPlan {
  const slots = row.parameters.slice(0, MAX_PARAMETERS).map((parameter): ParameterSlot => ({ kind: 'parameter', parameter }));
  const fields = (row.body?.fields ?? []).slice(0, MAX_BODY_FIELDS).map((field): FieldSlot => ({ kind: 'field', field }));
  const inPlace = (place: OperationParameter['in']): ParameterSlot[] => slots.filter(({ parameter }) => parameter.in === place);
  const pieces = cutPath(row.path, inPlace('path'));
  const last = pieces.at(-1);
  const mayBeEmpty = typeof last === 'object' && last.parameter.style === 'segments' ? last : undefined;
  return {
    pieces,
    query: inPlace('query'),
    headers: inPlace('header'),
    fields,
    required: slots.filter(slot => slot.parameter.required || (slot.parameter.in === 'path' && slot !== mayBeEmpty)),
    names: nameSlots([...inPlace('path'), ...inPlace('query'), ...inPlace('header')], fields, row.body !== undefined),
    mayBeEmpty,
    defects: rowDefects(row),
  };
}

/**
 * A bare name is the first of path, query, header and body that has it; the others are reached by the qualified name.
 * `body` is the whole body, but where a parameter or a field has that name it is that one.
 */
function nameSlots(parameters: readonly ParameterSlot[], fields: readonly FieldSlot[], hasBody: boolean): Map<string, ArgumentSlot> {
  const names = new Map<string, ArgumentSlot>();
  const offer = (name: string, slot: ArgumentSlot): void => {
    if (!names.has(name)) names.set(name, slot);
  };
  for (const slot of parameters) offer(slot.parameter.name, slot);
  for (const slot of fields) offer(slot.field.name, slot);
  if (hasBody) offer('body', { kind: 'whole-body' });
  for (const slot of parameters) offer(`${slot.parameter.in}.${slot.parameter.name}`, slot);
  for (const slot of fields) offer(`body.${slot.field.name}`, slot);
  return names;
}

/** Placeholders without a parameter stay as text here; `rowDefects` names them and the row is never built. */
function cutPath(template: string, parameters: readonly ParameterSlot[]): PathPiece[] {
  const byName = new Map(parameters.map(slot => [slot.parameter.name, slot]));
  return template
    .split(/(\{[^{}]*\})/)
    .map(piece => (piece.startsWith('{') ? (byName.get(piece.slice(1, -1)) ?? piece) : encodeLiteral(piece)))
    .filter(piece => piece !== '');
}

/** Path text as the description has it: what a URL can't hold is encoded, percent signs that are there stay. */
function encodeLiteral(text: string): string {
  return text.replace(/[^\w\-.~!$&'()*+,;=:@/%]/gu, character => (/\p{Surrogate}/u.test(character) ? '' : encodeURIComponent(character)));
}
