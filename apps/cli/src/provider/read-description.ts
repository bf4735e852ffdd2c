/** A published description: its bytes within their bound, the digest that pins it, and the value of its JSON or YAML. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { AppError } from '@weir/kernel';
import { fillTemplate } from '@weir/provider-compiler';
import { parse } from 'yaml';

/** Bytes of a published description (PRV-2). */
export const MAX_DESCRIPTION_BYTES = 32 * 1024 * 1024;

export const digestOf = (bytes: Uint8Array | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Throws FILE_UNREADABLE, or INPUT_TOO_LARGE before a byte is read. */
export async function readDescriptionFile(file: string): Promise<Buffer> {
  const unreadable = (cause: unknown): never => {
    throw new AppError('FILE_UNREADABLE', `the description ${file} cannot be read`, { cause });
  };
  const { size } = await stat(file).catch(unreadable);
  if (size > MAX_DESCRIPTION_BYTES) throw tooLarge(file);
  return readFile(file).catch(unreadable);
}

export const tooLarge = (what: string): AppError =>
  new AppError('INPUT_TOO_LARGE', `${what} has more than ${MAX_DESCRIPTION_BYTES} bytes`, { next: 'Pin the description alone, not an archive of it.' });

const unreadable = (name: string, reason: string, cause?: unknown): AppError =>
  new AppError('COMPILE_FAILED', `the description of ${name} ${reason}`, {
    next: 'Look at the file: it has to be an OpenAPI 3.0 or 3.1 or a Swagger 2.0 document in JSON or YAML.',
    ...(cause === undefined ? {} : { cause }),
  });

/**
 * JSON or YAML, its placeholders filled. Throws COMPILE_FAILED with what is wrong.
 * @param templateValues only where the text is a template; `{{` may stand in a vendor's prose.
 */
export function parseDescription(name: string, bytes: Uint8Array, templateValues: Readonly<Record<string, string>> | undefined): unknown {
  const { text, problems } = fillTemplate(Buffer.from(bytes).toString('utf8'), templateValues);
  const [problem] = problems;
  if (problem !== undefined) throw new AppError('COMPILE_FAILED', `${name}: ${problem.reason}`, { next: `In the descriptor, ${problem.mend}.` });
  if (/^\s*</.test(text)) throw unreadable(name, 'is HTML or XML: a login or an error page, perhaps');
  try {
    return /^\s*[{[]/.test(text) ? JSON.parse(text) : fromYaml(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0]?.slice(0, 200) : 'unreadable';
    throw unreadable(name, `can't be read: ${reason}`, cause);
  }
}

/** A tree: an alias that holds itself is an error of JSON.stringify, and one that multiplies is bounded by the parser. */
const fromYaml = (text: string): unknown => JSON.parse(JSON.stringify(parse(text, { logLevel: 'error' })) ?? 'null');
