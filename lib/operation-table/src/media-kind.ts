/**
 * How a body is written, from its content type and from what the row says that the body is.
 */
import type { OperationBody } from './operation-row.ts';

export type MediaKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** Type and subtype in lower case, without parameters. */
export const essenceOf = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;

/** The kind that this content type asks for; undefined where the executor can't write it. */
export const mediaKindOf = (contentType: string, shape: OperationBody['shape']): MediaKind | undefined => {
  const essence = essenceOf(contentType);
  if (essence === '*/*') return KIND_BY_SHAPE[shape];
  if (essence === 'multipart/form-data') return 'multipart';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (JSON_TYPE.test(essence)) return 'json';
  if (essence === 'application/octet-stream' || shape === 'binary') return 'binary';
  return essence.startsWith('text/') ? 'text' : undefined;
};

const KIND_BY_SHAPE: Readonly<Record<OperationBody['shape'], MediaKind>> = {
  object: 'json',
  array: 'json',
  any: 'json',
  text: 'text',
  binary: 'binary',
};

/** What is sent where the row's type is the wildcard. */
export const DEFAULT_TYPE: Readonly<Record<MediaKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  text: 'text/plain',
  binary: 'application/octet-stream',
};
