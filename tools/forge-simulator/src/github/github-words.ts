/** The sentences in which GitHub refuses, and the ids and instants as it prints them. */
import { type Answer, json } from '../http/call.ts';
import { found } from '../http/repository-route.ts';

const DOCS = 'https://docs.github.com/rest';

export const iso = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, 'Z');
export const isoOrNull = (at: Date | null): string | null => (at === null ? null : iso(at));
export const nodeId = (prefix: string, id: number | string): string => `${prefix}_kwDO${Buffer.from(String(id)).toString('base64url')}`;

export const refuse = (status: number, message: string, more: Readonly<Record<string, unknown>> = {}): Answer =>
  json({ message, ...more, documentation_url: DOCS, status: String(status) }, status);

export const notFound = (): Answer => refuse(404, 'Not Found');
export const need = <T>(value: T | undefined | null): T => found(value, notFound);

/** 422 with objects: the shape of a failed validation. */
export const invalid = (resource: string, errors: readonly { readonly field?: string; readonly code: string; readonly message?: string }[]): Answer =>
  refuse(422, 'Validation Failed', { errors: errors.map(error => ({ resource, ...error })) });

/** 422 with sentences: the shape that reviews answer with. */
export const unprocessable = (...errors: readonly string[]): Answer => refuse(422, 'Unprocessable Entity', { errors });

/** 422 without a list: the third shape. */
export const unprocessableSentence = (message: string): Answer => refuse(422, message);

export const BODY_LIMIT = 65_536;

export const tooLong = (body: string | undefined): boolean => body !== undefined && [...body].length > BODY_LIMIT;
export const bodyTooLong = (resource: string): Answer =>
  invalid(resource, [{ field: 'body', code: 'custom', message: `body is too long (maximum is ${BODY_LIMIT} characters)` }]);
