/**
 * A file as the value of a multipart field or of a whole binary body.
 */

export interface FileValue {
  readonly filename: string;
  readonly contentType?: string;
  /** Text stands for its UTF-8 bytes. */
  readonly content: string | Uint8Array;
}

export const isFileContent = (value: unknown): value is string | Uint8Array => typeof value === 'string' || value instanceof Uint8Array;

export const isFileValue = (value: unknown): value is FileValue =>
  typeof value === 'object' &&
  value !== null &&
  'filename' in value &&
  typeof value.filename === 'string' &&
  'content' in value &&
  isFileContent(value.content) &&
  (!('contentType' in value) || (typeof value.contentType === 'string' && /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)?$/.test(value.contentType)));
