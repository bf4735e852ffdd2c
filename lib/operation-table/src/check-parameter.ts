/**
 * Can a value stand where its parameter stands? No value changes the structure of a path or ends a header line.
 */
import { CONTROL, LONE_SURROGATE, type ProblemCode } from './argument-problem.ts';
import { checkValue, type ValueVerdict } from './check-value.ts';
import type { OperationParameter, ParameterStyle } from './operation-row.ts';

/** Characters of one value in a path, a query or a header. */
export const MAX_VALUE_CHARACTERS = 8_192;

const refuse = (code: ProblemCode, reason: string): ValueVerdict => ({ ok: false, code, reason });

const SINGLE: ReadonlySet<ParameterStyle> = new Set(['plain', 'segments', 'encoded-segments']);

/** The value as it goes into the request, or why it is refused. */
export const checkParameter = (parameter: OperationParameter, given: unknown, fromCommandLine: boolean): ValueVerdict => {
  const verdict = checkValue(parameter, given, fromCommandLine);
  if (!verdict.ok) return verdict;
  const { value } = verdict;
  const texts = parameter.style === 'json' ? [JSON.stringify(value)] : scalarTexts(value);
  if (texts === undefined) return refuse('type', 'must be text, a number, true or false, or a list of these');
  if (Array.isArray(value) && SINGLE.has(parameter.style)) return refuse('type', 'must be one value, not a list');
  for (const text of texts) {
    const problem = checkText(parameter, text);
    if (problem !== undefined) return problem;
  }
  if (parameter.in === 'path' && texts.length === 0) return refuse('missing', 'must not be an empty list');
  return verdict;
};

function scalarTexts(value: unknown): string[] | undefined {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  return entries.every(entry => typeof entry !== 'object') ? entries.map(String) : undefined;
}

function checkText({ in: place, style }: OperationParameter, text: string): ValueVerdict | undefined {
  if (text.length > MAX_VALUE_CHARACTERS) return refuse('too-large', `has more than ${MAX_VALUE_CHARACTERS} characters`);
  if (LONE_SURROGATE.test(text)) return refuse('character', 'holds half of a surrogate pair');
  if (place === 'header') return PRINTABLE.test(text) ? undefined : refuse('character', 'must be printable ASCII without line feeds');
  if (place === 'query') return undefined;
  if (CONTROL.test(text)) return refuse('character', 'holds a control character or a line feed');
  return (SLASHED[style] ?? checkSegment)(text);
}

const PRINTABLE = /^[\u0020-\u007e]*$/;
const isDots = (segment: string): boolean => segment === '.' || segment === '..';

function checkSegment(text: string): ValueVerdict | undefined {
  if (text === '') return refuse('missing', 'must not be empty');
  if (/[/\\]/.test(text)) return refuse('slash', 'must be one path segment, without a slash or a backslash');
  return isDots(text) ? refuse('slash', 'must not be a dot segment') : undefined;
}

/** The value of `encoded-segments` is one name to the provider. What it decodes may meet a file system, so dot segments stay out. */
function checkEncoded(text: string): ValueVerdict | undefined {
  if (text === '') return refuse('missing', 'must not be empty');
  return text.split('/').some(isDots) ? refuse('slash', 'must not hold a dot segment') : undefined;
}

/** One slash at the start is allowed and means nothing; an empty text is allowed where the row lets the path end early. */
function checkSegments(text: string): ValueVerdict | undefined {
  if (text === '') return undefined;
  const segments = (text.startsWith('/') ? text.slice(1) : text).split('/');
  if (segments.some(segment => segment === '')) return refuse('slash', 'must not hold an empty path segment');
  return segments.some(isDots) ? refuse('slash', 'must not hold a dot segment') : undefined;
}

const SLASHED: Partial<Record<ParameterStyle, typeof checkSegment>> = { segments: checkSegments, 'encoded-segments': checkEncoded };
