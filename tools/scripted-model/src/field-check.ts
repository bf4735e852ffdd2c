/**
 * Small checks for foreign JSON. A check returns undefined when the value fits, else the problem, with the path of the field in front.
 * This package shares no code with the adapter that it serves: a fake that did would prove nothing.
 */
export type Check = (value: unknown, path: string) => string | undefined;
type Fields = Readonly<Record<string, Check>>;

const expected = (path: string, what: string) => `'${path}' must be ${what}.`;

export const text: Check = (value, path) => (typeof value === 'string' ? undefined : expected(path, 'a string'));
export const flag: Check = (value, path) => (typeof value === 'boolean' ? undefined : expected(path, 'a boolean'));
export const plain: Check = (value, path) => (isObject(value) ? undefined : expected(path, 'an object'));

export const number =
  (minimum: number, maximum: number): Check =>
  (value, path) =>
    typeof value === 'number' && value >= minimum && value <= maximum ? undefined : expected(path, `a number from ${minimum} to ${maximum}`);

export const integer =
  (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Check =>
  (value, path) =>
    Number.isInteger(value) ? number(minimum, maximum)(value, path) : expected(path, 'an integer');

export const oneOf =
  (...values: readonly string[]): Check =>
  (value, path) =>
    values.includes(value as string) ? undefined : expected(path, `one of ${values.join(', ')}`);

export const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path);

export const either =
  (...checks: readonly Check[]): Check =>
  (value, path) => {
    const problems = checks.map(check => check(value, path));
    return problems.includes(undefined) ? undefined : problems[0];
  };

export const list =
  (check: Check, minimum = 0): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return expected(path, 'an array');
    if (value.length < minimum) return `'${path}' is too short; it needs at least ${minimum}.`;
    return value.map((item, index) => check(item, `${path}[${index}]`)).find(problem => problem !== undefined);
  };

/** An object with these fields and no others. */
export const fields =
  (required: Fields, optional: Fields = {}): Check =>
  (value, path) => {
    if (!isObject(value)) return expected(path, 'an object');
    const prefix = path === '' ? '' : `${path}.`;
    const known: Fields = { ...required, ...optional };
    const missing = Object.keys(required).find(name => value[name] === undefined);
    if (missing !== undefined) return `Missing required parameter: '${prefix}${missing}'.`;
    const unknown = Object.keys(value).find(name => !Object.hasOwn(known, name));
    if (unknown !== undefined) return `Unrecognized request argument supplied: ${prefix}${unknown}`;
    return Object.entries(value)
      .map(([name, item]) => known[name]?.(item, `${prefix}${name}`))
      .find(problem => problem !== undefined);
  };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
