/**
 * Generates the contract cases of a row (PRV-25). Expected requests are written down by plain substitution, without the
 * executor's encoders.
 */
import type { ProblemCode } from './argument-problem.ts';
import type { Args, ContractCase, ExpectedProblem, ExpectedRequest } from './contract-case.ts';
import { encodeName } from './encode-text.ts';
import { MAX_ERROR_CHARACTERS } from './error-text.ts';
import { isTransportHeader } from './transport-header.ts';
import type { OperationParameter, OperationRow } from './operation-row.ts';
import { pagingParameters } from './paging-parameters.ts';
import { sampleField, sampleParameter, wrongType } from './sample-values.ts';

export interface CaseOptions {
  /** The provider's own maximum of entries a page. */
  readonly perPageMax?: number;
}

/** Every case of the row, positive ones first. A row with a defect has cases too, and they fail. */
export const contractCases = (row: OperationRow, options: CaseOptions = {}): ContractCase[] => [
  ...positiveCases(row),
  ...negativeCases(row),
  ...pageSizeCases(row, options),
  ...pageCases(row),
  ...answerCases(row),
];

/** Parameters that an argument may set, each with the name that reaches it: two can share a bare name. */
function reachable(row: OperationRow): { readonly parameter: OperationParameter; readonly argument: string }[] {
  const order = ['path', 'query', 'header'];
  const sorted = row.parameters.toSorted((a, b) => order.indexOf(a.in) - order.indexOf(b.in));
  const taken = new Set<string>();
  return sorted
    .filter(parameter => parameter.in !== 'header' || !isTransportHeader(parameter.name))
    .map(parameter => {
      const argument = taken.has(parameter.name) ? `${parameter.in}.${parameter.name}` : parameter.name;
      taken.add(parameter.name);
      return { parameter, argument };
    });
}

const isNeeded = ({ in: place, required }: OperationParameter): boolean => place === 'path' || required;

/** What is required, and everything that the row names. */
export function positiveCases(row: OperationRow): ContractCase[] {
  return (['required', 'everything'] as const).map(extent => {
    const args = sampleArgs(row, extent);
    return { name: `${extent} arguments`, kind: 'positive', args, request: expectedRequest(row, args) };
  });
}

/** Arguments that the row takes: what is required, or everything that it names. */
export const sampleArgs = (row: OperationRow, extent: 'required' | 'everything'): Args => {
  const all = extent === 'everything';
  const args: Record<string, unknown> = {};
  for (const { parameter, argument } of reachable(row)) if (all || isNeeded(parameter)) args[argument] = sampleParameter(parameter).value;
  const { body } = row;
  if (body === undefined || (!all && !body.required)) return args;
  const fields = body.fields.filter(field => all || field.required);
  const given = fields.length > 0 ? fields : body.fields.slice(0, 1);
  for (const field of given) args[fieldArgument(row, field.name)] = sampleField(field);
  if (given.length === 0) args['body'] = body.closed && body.shape === 'object' ? {} : WHOLE[body.shape];
  return args;
};

const WHOLE = { object: { member1: 'text1' }, array: ['text1'], text: 'text1', binary: 'text1', any: { member1: 'text1' } } as const;

const fieldArgument = (row: OperationRow, name: string): string => (row.parameters.some(parameter => parameter.name === name) ? `body.${name}` : name);

function expectedRequest(row: OperationRow, args: Args): ExpectedRequest {
  let path = row.path;
  const query: string[] = [];
  const headers: Record<string, string> = {};
  for (const { parameter, argument } of reachable(row)) {
    if (!Object.hasOwn(args, argument)) continue;
    const texts = textsOf(parameter, args[argument]);
    if (parameter.in === 'path') path = fillPlaceholder(path, parameter, texts.join(','));
    else if (parameter.in === 'header') headers[parameter.name.toLowerCase()] = texts.join(',');
    else query.push(...queryTexts(parameter, texts));
  }
  const fields = (row.body?.fields ?? []).filter(field => Object.hasOwn(args, fieldArgument(row, field.name)));
  const expected = { method: row.method, path, query: query.join('&'), headers };
  if (fields.length === 0) return expected;
  return { ...expected, fields: Object.fromEntries(fields.map(field => [field.name, args[fieldArgument(row, field.name)]])) };
}

/** The sample's texts; a case that changes a value changes it to a number. */
const textsOf = (parameter: OperationParameter, value: unknown): readonly string[] =>
  typeof value === 'number' ? [String(value)] : sampleParameter(parameter).texts;

function fillPlaceholder(path: string, { name, style }: OperationParameter, text: string): string {
  const at = path.indexOf(`{${name}}`);
  if (at === -1) return path;
  const gap = style === 'segments' && path[at - 1] !== '/' ? '/' : '';
  const written = style === 'encoded-segments' ? text.replaceAll('/', '%2F') : text;
  return path.slice(0, at) + gap + written + path.slice(at + name.length + 2);
}

function queryTexts({ name, style }: OperationParameter, texts: readonly string[]): string[] {
  const start = `${encodeName(name)}=`;
  if (style === 'form') return texts.map(text => start + text);
  return [`${start}${style === 'json' ? encodeURIComponent(texts.join('')) : texts.join(',')}`];
}

interface Refusal extends ExpectedProblem {
  readonly name: string;
  readonly args: Args;
}

const without = (args: Args, argument: string): Args => Object.fromEntries(Object.entries(args).filter(([key]) => key !== argument));

function negativeCases(row: OperationRow): ContractCase[] {
  const args = sampleArgs(row, 'required');
  const refusals: Refusal[] = [
    { name: 'an unknown argument', args: { ...args, no_such_argument: 1 }, argument: 'no_such_argument', code: 'unknown' },
    ...misspeltRefusal(row, args),
    ...reachable(row).flatMap(one => [...missingRefusal(one, args), ...valueRefusals(one, args)]),
    ...fieldRefusals(row),
  ];
  return refusals.map(({ name, args: changed, ...problem }) => ({ name, kind: 'negative', args: changed, problem }));
}

/** The longest name without a letter from its middle, which leaves it nearer to itself than to any other. */
function misspeltRefusal(row: OperationRow, args: Args): Refusal[] {
  const names = [...reachable(row).map(({ argument }) => argument), ...(row.body?.fields ?? []).map(field => fieldArgument(row, field.name))];
  const [meant = ''] = names.filter(name => !name.startsWith('body.')).toSorted((left, right) => right.length - left.length);
  const middle = meant.length >> 1;
  const argument = meant.slice(0, middle) + meant.slice(middle + 1);
  if (meant.length < MIN_MISSPELT || names.includes(argument)) return [];
  return [{ name: `${meant} is misspelt`, args: { ...args, [argument]: 'text1' }, argument, code: 'unknown', suggestion: meant }];
}

/** Shorter names are near to too many others. */
const MIN_MISSPELT = 4;

type Reachable = ReturnType<typeof reachable>[number];

function missingRefusal({ parameter, argument }: Reachable, args: Args): Refusal[] {
  const mayBeAbsent = !isNeeded(parameter) || (parameter.style === 'segments' && !parameter.required);
  return mayBeAbsent ? [] : [{ name: `${argument} is missing`, args: without(args, argument), argument: parameter.name, code: 'missing' }];
}

function valueRefusals({ parameter, argument }: Reachable, args: Args): Refusal[] {
  const wrong = wrongType(parameter.type);
  const values: RefusedValue[] = wrong === undefined ? [] : [['has another type', wrong, 'type']];
  values.push(...textRefusals(parameter), ...rangeRefusals(parameter));
  return values.map(([name, value, code]) => ({ name: `${argument} ${name}`, args: { ...args, [argument]: value }, argument, code }));
}

type RefusedValue = readonly [name: string, value: unknown, code: ProblemCode];

function textRefusals({ in: place, style, type, enum: allowed }: OperationParameter): RefusedValue[] {
  if (allowed !== undefined) return type === 'string' ? [['is none of its values', 'no-such-value', 'enum']] : [];
  if (place !== 'path' || (type !== 'string' && type !== 'any')) return [];
  if (style === 'segments' || style === 'encoded-segments') return [['is a/../b', 'a/../b', 'slash']];
  if (style !== 'plain') return [];
  return ['a/b', 'a\\b', '..'].map(text => [`is ${text}`, text, 'slash']);
}

function rangeRefusals({ type, minimum, maximum }: OperationParameter): RefusedValue[] {
  if (type !== 'integer') return [];
  const low: RefusedValue[] = minimum === undefined ? [] : [['is too small', minimum - 1, 'range']];
  return maximum === undefined ? low : [...low, ['is too large', maximum + 1, 'range']];
}

function fieldRefusals(row: OperationRow): Refusal[] {
  const args = sampleArgs(row, 'everything');
  const { body } = row;
  // Without its only field an optional body is not there at all, and nothing is missing.
  if (body === undefined || (body.fields.length < 2 && !body.required)) return [];
  const required = body.fields.filter(field => field.required);
  return required.map(({ name }) => ({ name: `field ${name} is missing`, args: without(args, fieldArgument(row, name)), argument: name, code: 'missing' }));
}

/** One entry a page, the maximum, and one more: refused where the row has the maximum, else sent, since the server cuts it. */
function pageSizeCases(row: OperationRow, options: CaseOptions): ContractCase[] {
  const { perPage } = pagingParameters(row);
  const sizer = row.parameters.find(parameter => parameter.name === perPage && parameter.in === 'query');
  if (sizer === undefined || (sizer.type !== 'integer' && sizer.type !== 'number')) return [];
  const top = sizer.maximum ?? options.perPageMax ?? 100;
  const args = sampleArgs(row, 'required');
  return [1, top, ...(sizer.maximum === undefined ? [top + 1] : [])]
    .filter(size => size >= (sizer.minimum ?? 1))
    .map(size => {
      const sized = { ...args, [sizer.name]: size };
      return { name: `${size} entries a page`, kind: 'boundary', args: sized, request: expectedRequest(row, sized) };
    });
}

function pageCases(row: OperationRow): ContractCase[] {
  if (row.pagination === 'none') return [];
  const cases: ContractCase[] = [
    { name: 'an empty page', kind: 'boundary', page: { entries: 0, fullPage: 3 }, next: 'last' },
    { name: 'a short page', kind: 'boundary', page: { entries: 2, fullPage: 3 }, next: 'last' },
  ];
  if (row.pagination === 'next-url') return cases;
  return [...cases, { name: 'a full page without a marker', kind: 'boundary', page: { entries: 3, fullPage: 3 }, next: 'more' }];
}

function answerCases(row: OperationRow): ContractCase[] {
  const json = { 'content-type': 'application/json' };
  const status = row.success.find(one => one >= 200 && one < 300) ?? 200;
  const message = (length: number): string => JSON.stringify({ message: 'x'.repeat(length - '{"message":""}'.length) });
  return [
    {
      name: '429 with retry-after',
      kind: 'boundary',
      response: { status: 429, headers: { 'retry-after': '7' }, bodyText: '' },
      outcome: { kind: 'RateLimited', retryAfterMs: 7_000 },
    },
    {
      name: 'an error body at the bound',
      kind: 'boundary',
      response: { status: 422, headers: json, bodyText: message(MAX_ERROR_CHARACTERS) },
      outcome: { kind: 'Unprocessable' },
    },
    {
      name: 'an error body over the bound',
      kind: 'boundary',
      response: { status: 422, headers: json, bodyText: message(MAX_ERROR_CHARACTERS + 1) },
      outcome: { kind: 'Unprocessable' },
    },
    {
      name: 'a success that announces its end',
      kind: 'boundary',
      response: { status, headers: { ...json, sunset: 'Wed, 11 Nov 2026 23:59:59 GMT' }, bodyText: '{}' },
      outcome: { kind: 'ok', deprecated: true },
    },
  ];
}
