/**
 * What a row asks for that the executor can't build (PRV-4: nothing is half-supported). An operation with a defect is not
 * compiled, and a call of it is refused.
 */
import type { ArgumentProblem } from './argument-problem.ts';
import { isTransportHeader } from './transport-header.ts';
import { mediaKindOf } from './media-kind.ts';
import { MAX_BODY_FIELDS, MAX_PARAMETERS, type OperationParameter, type OperationRow, type ParameterStyle, type ValueType } from './operation-row.ts';

const STYLES: Readonly<Record<OperationParameter['in'], readonly ParameterStyle[]>> = {
  path: ['plain', 'csv', 'segments', 'encoded-segments'],
  query: ['plain', 'form', 'csv', 'json'],
  header: ['plain', 'csv', 'json'],
};

/** Types that a style can't write. */
const UNWRITABLE: Readonly<Record<ParameterStyle, readonly ValueType[]>> = {
  plain: ['array', 'object'],
  segments: ['array', 'object'],
  'encoded-segments': ['array', 'object'],
  form: ['object'],
  csv: ['object'],
  json: [],
};

/** Every defect of the row, as problems with the code `row`; none for a row that can be called. */
export const rowDefects = (row: OperationRow): ArgumentProblem[] => [...pathDefects(row), ...row.parameters.flatMap(parameterDefects), ...bodyDefects(row)];

const defect = (argument: string, reason: string): ArgumentProblem => ({ argument, code: 'row', reason });

function pathDefects({ path, parameters }: OperationRow): ArgumentProblem[] {
  const found: ArgumentProblem[] = [];
  if (!path.startsWith('/')) found.push(defect(path, 'the path template does not start with a slash'));
  if (/[?#\\\s]/.test(path) || path.split('/').some(segment => segment === '.' || segment === '..')) {
    found.push(defect(path, 'the path template holds a query, a fragment, a backslash, a space or a dot segment'));
  }
  const placeholders = new Set((path.match(/\{[^{}]*\}/g) ?? []).map(placeholder => placeholder.slice(1, -1)));
  const declared = new Set(parameters.filter(parameter => parameter.in === 'path').map(parameter => parameter.name));
  for (const name of placeholders) if (!declared.has(name)) found.push(defect(name, 'the path has a placeholder without a parameter'));
  for (const name of declared) if (!placeholders.has(name)) found.push(defect(name, 'the path parameter has no placeholder in the path'));
  if (parameters.length > MAX_PARAMETERS) found.push(defect('', `more than ${MAX_PARAMETERS} parameters (PRV-8)`));
  return found;
}

function parameterDefects({ name, in: place, style, type, required }: OperationParameter): ArgumentProblem[] {
  if (!STYLES[place].includes(style)) return [defect(name, `the style ${style} can't be written in the ${place}`)];
  if (UNWRITABLE[style].includes(type)) return [defect(name, `the style ${style} can't write a value of type ${type}`)];
  if (place === 'header' && required && isTransportHeader(name)) return [defect(name, 'the header belongs to the transport and is required as an argument')];
  return [];
}

function bodyDefects({ body }: OperationRow): ArgumentProblem[] {
  if (body === undefined) return [];
  const found: ArgumentProblem[] = [];
  if (body.fields.length > MAX_BODY_FIELDS) found.push(defect('body', `more than ${MAX_BODY_FIELDS} body fields (PRV-8)`));
  if (!body.contentTypes.some(type => mediaKindOf(type, body.shape) !== undefined)) {
    found.push(defect('body', 'none of the content types can be written'));
  }
  return found;
}
