/** The arguments of an operation as they stand on the command line, in a file, or on standard input. */
import { readFile } from 'node:fs/promises';
import { AppError } from '@weir/kernel';
import { feedDiff, standardInput } from '../read-diff.ts';

export interface ArgumentSources {
  /** `--owner x --repo=y` as they stand on the command line. */
  readonly words: readonly string[];
  /** `--arg name=value`, for names that are no flag. */
  readonly args: readonly string[];
  /** A file with the arguments as one JSON object, or - for standard input. */
  readonly input: string | undefined;
}

/** Pairs of `--name value` and `--name=value`. A name that comes twice becomes a list. */
function addWords(words: readonly string[], add: (name: string, value: string) => void): void {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(word);
    if (match === null) throw new AppError('USAGE', `${word} is no argument`, { next: 'Write arguments as --name value, or --arg name=value.' });
    const value = match[2] ?? words[++at];
    if (value === undefined) throw new AppError('USAGE', `${word} has no value`);
    add(match[1] ?? '', value);
  }
}

/** @param input a file, or - for standard input. */
export async function readText(input: string, signal: AbortSignal): Promise<string> {
  if (input !== '-') {
    return readFile(input, 'utf8').catch((cause: unknown) => {
      throw new AppError('FILE_UNREADABLE', `${input} cannot be read`, { cause });
    });
  }
  const pieces: string[] = [];
  await feedDiff(standardInput(signal), { push: text => void pieces.push(text) });
  return pieces.join('');
}

/** Throws USAGE where the text is no JSON object. @param what the text is, for the message. */
export function parseObject(text: string, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (cause) {
    throw new AppError('USAGE', `${what} is not JSON`, { cause });
  }
  throw new AppError('USAGE', `${what} has to be a JSON object`);
}

export async function argumentsOf({ words, args, input }: ArgumentSources, signal: AbortSignal): Promise<Record<string, unknown>> {
  const values = input === undefined ? {} : parseObject(await readText(input, signal), 'the input');
  const add = (name: string, value: string): void => {
    const known = values[name];
    values[name] = known === undefined ? value : Array.isArray(known) ? [...(known as unknown[]), value] : [known, value];
  };
  addWords(words, add);
  for (const pair of args) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new AppError('USAGE', `--arg ${pair} has to be name=value`);
    add(pair.slice(0, at), pair.slice(at + 1));
  }
  return values;
}
