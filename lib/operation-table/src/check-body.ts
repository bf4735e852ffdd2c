/**
 * Holds the given fields, or the whole body, against the row's body.
 */
import type { ArgumentProblem } from './argument-problem.ts';
import { checkValue, isJson } from './check-value.ts';
import type { CheckedBody } from './checked-arguments.ts';
import { isFileContent, isFileValue } from './file-value.ts';
import { mediaKindOf } from './media-kind.ts';
import { nearestName } from './near-name.ts';
import type { FieldSlot, OperationPlan } from './operation-plan.ts';
import type { BodyField, OperationBody } from './operation-row.ts';

/** What the caller said of the body: fields one by one under the names that they wrote, or the whole. */
export interface GivenBody {
  readonly fields: ReadonlyMap<FieldSlot, GivenValue>;
  /** Fields that the row does not name, given as `body.<name>`. */
  readonly extra: readonly (readonly [name: string, value: unknown])[];
  readonly whole: GivenValue | undefined;
}

export interface GivenValue {
  readonly argument: string;
  readonly value: unknown;
}

/** The checked body; problems are added to `problems`. */
export const checkBody = (
  { body, plan, fromCommandLine }: { body: OperationBody | undefined; plan: OperationPlan; fromCommandLine: boolean },
  given: GivenBody,
  problems: ArgumentProblem[],
): CheckedBody => {
  if (body === undefined) return { kind: 'none' };
  if (given.whole !== undefined) {
    if (given.fields.size + given.extra.length === 0) return checkWhole(body, given.whole, problems);
    problems.push({ argument: given.whole.argument, code: 'twice', reason: 'the whole body and single fields are given together' });
    return { kind: 'none' };
  }
  if (given.fields.size + given.extra.length === 0 && !body.required) return { kind: 'none' };
  const fields: (readonly [string, unknown])[] = [];
  for (const slot of plan.fields) {
    const value = given.fields.get(slot);
    if (value !== undefined) fields.push([slot.field.name, checkField(body, slot.field, value, { fromCommandLine, problems })]);
    else if (slot.field.required) problems.push({ argument: slot.field.name, code: 'missing', reason: 'is required in the body' });
  }
  fields.push(...given.extra);
  if (fields.length === 0 && !plan.fields.some(slot => slot.field.required)) problems.push(missingBody(plan));
  return { kind: 'fields', fields };
};

const missingBody = (plan: OperationPlan): ArgumentProblem => {
  const names = plan.fields.slice(0, 8).map(slot => slot.field.name);
  const choice = names.length === 0 ? 'give it as `body`' : `give at least one of ${names.join(', ')}, or an empty object as \`body\``;
  return { argument: 'body', code: 'missing', reason: `the operation needs a body: ${choice}` };
};

function checkField(body: OperationBody, field: BodyField, given: GivenValue, how: { fromCommandLine: boolean; problems: ArgumentProblem[] }): unknown {
  if (takesFiles(body, field) && isFile(given.value)) return given.value;
  const verdict = checkValue(field, given.value, how.fromCommandLine);
  if (verdict.ok) return verdict.value;
  how.problems.push({ argument: given.argument, code: verdict.code, reason: verdict.reason, ...nearEnum(field, given.value) });
  return undefined;
}

const isFile = (value: unknown): boolean => value instanceof Uint8Array || isFileValue(value);

const takesFiles = (body: OperationBody, { type, binary }: BodyField): boolean =>
  binary === true || (type === 'any' && body.contentTypes.some(contentType => mediaKindOf(contentType, body.shape) === 'multipart'));

/** The value of a closed set that was probably meant. */
export const nearEnum = ({ enum: allowed }: Pick<BodyField, 'enum'>, value: unknown): { suggestion?: string } => {
  const suggestion = allowed === undefined || typeof value !== 'string' ? undefined : nearestName(value, allowed.map(String));
  return suggestion === undefined ? {} : { suggestion };
};

const SHAPE_WORDS: Readonly<Record<OperationBody['shape'], string>> = {
  object: 'must be an object of JSON values',
  array: 'must be a list of JSON values',
  text: 'must be text',
  binary: 'must be bytes or text',
  any: 'must be a JSON value of bounded size, text or bytes',
};

const HAS_SHAPE: Readonly<Record<OperationBody['shape'], (value: unknown) => boolean>> = {
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value),
  array: value => Array.isArray(value) && isJson(value),
  text: value => typeof value === 'string',
  binary: isFileContent,
  any: value => value instanceof Uint8Array || isJson(value),
};

function checkWhole(body: OperationBody, { argument, value }: GivenValue, problems: ArgumentProblem[]): CheckedBody {
  if (!HAS_SHAPE[body.shape](value)) problems.push({ argument, code: 'type', reason: SHAPE_WORDS[body.shape] });
  else if (body.shape === 'object' && typeof value === 'object' && value !== null) checkMembers(body, value, problems);
  return { kind: 'whole', value };
}

function checkMembers(body: OperationBody, value: object, problems: ArgumentProblem[]): void {
  const members = new Map<string, unknown>(Object.entries(value));
  for (const field of body.fields) {
    const member = members.get(field.name);
    if (member !== undefined) checkField(body, field, { argument: `body.${field.name}`, value: member }, { fromCommandLine: false, problems });
    else if (field.required) problems.push({ argument: `body.${field.name}`, code: 'missing', reason: 'is required in the body' });
    members.delete(field.name);
  }
  if (!body.closed) return;
  for (const name of members.keys()) {
    const suggestion = nearestName(
      name,
      body.fields.map(field => field.name),
    );
    problems.push({ argument: `body.${name}`, code: 'unknown', reason: 'the body has no such field', ...(suggestion === undefined ? {} : { suggestion }) });
  }
}
