/**
 * The body of a request, from checked arguments. Nothing here makes bytes: the transport writes text as UTF-8.
 */
import type { ArgumentProblem } from './argument-problem.ts';
import type { CheckedBody } from './checked-arguments.ts';
import { isFileContent } from './file-value.ts';
import { DEFAULT_TYPE, essenceOf, type MediaKind, mediaKindOf } from './media-kind.ts';
import { multipartChunks } from './multipart.ts';
import type { OperationBody } from './operation-row.ts';
import type { RequestTarget } from './request-target.ts';

export type RequestBody =
  | { readonly kind: 'none' }
  /** For `JSON.stringify`. */
  | { readonly kind: 'json'; readonly value: unknown }
  /** Url-encoded. */
  | { readonly kind: 'form'; readonly value: string }
  /** Chunks in order; text stands for its UTF-8 bytes. */
  | { readonly kind: 'multipart'; readonly value: readonly (string | Uint8Array)[] }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'binary'; readonly value: string | Uint8Array };

export type BodyResult =
  | { readonly ok: true; readonly body: RequestBody; readonly contentType?: string }
  | { readonly ok: false; readonly problem: ArgumentProblem };

const NONE: BodyResult = { ok: true, body: { kind: 'none' } };

const refuse = (argument: string, reason: string, code: ArgumentProblem['code'] = 'type'): BodyResult => ({ ok: false, problem: { argument, code, reason } });

/** The body and its content type, or why it can't be written in the type that was asked for. */
export const requestBody = (row: OperationBody | undefined, checked: CheckedBody, target: RequestTarget): BodyResult => {
  if (row === undefined || checked.kind === 'none') return NONE;
  const chosen = chooseType(row, target.contentType);
  if (chosen === undefined) return refuse('contentType', `must be one of ${row.contentTypes.join(', ')}`, 'target');
  return WRITERS[chosen.kind](checked, chosen.type, { row, boundary: target.boundary ?? '' });
};

interface ChosenType {
  readonly kind: MediaKind;
  readonly type: string;
}

/** The wanted type if the row takes it, else the row's first that can be written. */
function chooseType(row: OperationBody, wanted: string | undefined): ChosenType | undefined {
  for (const offered of row.contentTypes) {
    const any = essenceOf(offered) === '*/*';
    if (wanted !== undefined && !any && essenceOf(wanted) !== essenceOf(offered)) continue;
    const type = wanted ?? offered;
    const kind = mediaKindOf(type, row.shape);
    if (kind !== undefined) return { kind, type: essenceOf(type) === '*/*' ? DEFAULT_TYPE[kind] : essenceOf(type) };
  }
  return undefined;
}

type BodyWriter = (
  checked: Exclude<CheckedBody, { kind: 'none' }>,
  contentType: string,
  written: { readonly row: OperationBody; readonly boundary: string },
) => BodyResult;

/** `fromEntries` defines each member, so a field named like a member of every object is data too. */
const valueOf = (checked: Exclude<CheckedBody, { kind: 'none' }>): unknown => (checked.kind === 'whole' ? checked.value : Object.fromEntries(checked.fields));

const fieldsOf = (checked: Exclude<CheckedBody, { kind: 'none' }>): readonly (readonly [string, unknown])[] | undefined => {
  if (checked.kind === 'fields') return checked.fields;
  const { value } = checked;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
};

const WRITERS: Readonly<Record<MediaKind, BodyWriter>> = {
  json: (checked, contentType) => {
    const value = valueOf(checked);
    if (value instanceof Uint8Array) return refuse('body', 'bytes are not JSON');
    return { ok: true, body: { kind: 'json', value }, contentType };
  },
  form: (checked, contentType) => {
    const pairs = fieldsOf(checked)?.map(([name, value]) => formPairs(name, value));
    if (pairs === undefined || pairs.includes(undefined)) return refuse('body', 'a form takes named texts, numbers, truth values and lists of these');
    return { ok: true, body: { kind: 'form', value: pairs.flat().join('&') }, contentType };
  },
  multipart: (checked, contentType, { row, boundary }) => {
    const files = new Set(row.fields.filter(field => field.binary === true).map(field => field.name));
    const chunks = multipartChunks(fieldsOf(checked) ?? [], files, boundary);
    if (typeof chunks === 'string') return refuse('boundary', chunks, 'target');
    return { ok: true, body: { kind: 'multipart', value: chunks }, contentType: `${contentType}; boundary=${boundary}` };
  },
  text: (checked, contentType) => {
    const value = valueOf(checked);
    if (typeof value !== 'string') return refuse('body', 'must be text');
    return { ok: true, body: { kind: 'text', value }, contentType: `${contentType}; charset=utf-8` };
  },
  binary: (checked, contentType) => {
    const value = valueOf(checked);
    return isFileContent(value) ? { ok: true, body: { kind: 'binary', value }, contentType } : refuse('body', 'must be bytes or text');
  },
};

function formPairs(name: string, value: unknown): string[] | undefined {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  if (entries.some(entry => typeof entry === 'object' || /\p{Surrogate}/u.test(String(entry)))) return undefined;
  return entries.map(entry => `${encodeURIComponent(name)}=${encodeURIComponent(String(entry))}`);
}
