/**
 * The names that a row takes arguments under, as the executor reads them.
 */
import type { OperationRow } from '@weir/operation-table';

export interface ArgumentNames {
  /** Own names of parameters and body fields. */
  readonly all: readonly string[];
  readonly accepts: (name: string) => boolean;
}

/** Bare names, names with their place (`path.id`, `body.id`), `body` for the whole, and any `body.x` of a body that allows more. */
export const argumentNames = (row: OperationRow): ArgumentNames => {
  const all = [...row.parameters.map(parameter => parameter.name), ...(row.body?.fields ?? []).map(field => field.name)];
  const known = new Set([
    ...all,
    ...row.parameters.map(parameter => `${parameter.in}.${parameter.name}`),
    ...(row.body?.fields ?? []).map(field => `body.${field.name}`),
    ...(row.body === undefined ? [] : ['body']),
  ]);
  const open = row.body !== undefined && !row.body.closed;
  return { all, accepts: name => known.has(name) || (open && name.startsWith('body.')) };
};

/** Required parameters and fields that none of the given names reaches. A whole `body` reaches every field. */
export const missingArguments = (row: OperationRow, given: ReadonlySet<string>): readonly string[] => {
  const parameters = row.parameters.filter(
    ({ name, in: place, required }) => (required || place === 'path') && !given.has(name) && !given.has(`${place}.${name}`),
  );
  const owned = new Set(row.parameters.map(parameter => parameter.name));
  const fields = (row.body?.fields ?? []).filter(({ name, required }) => required && !given.has(`body.${name}`) && (owned.has(name) || !given.has(name)));
  const whole = given.has('body') && !(row.body?.fields ?? []).some(field => field.name === 'body');
  return [...parameters.map(parameter => parameter.name), ...(whole ? [] : fields.map(field => field.name))];
};
