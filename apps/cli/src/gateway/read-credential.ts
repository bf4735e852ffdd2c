/** An API key from a file or standard input. It never stands on a command line, where other users of the machine could read it. */
import { AppError } from '@weir/kernel';
import { readText } from '../provider/call-arguments.ts';

/** What a header can carry; a line break in the middle is the usual mistake. */
const KEY_TEXT = /^[\x21-\x7e]{1,4096}$/;

export async function readCredential(file: string): Promise<string> {
  const key = (await readText(file, new AbortController().signal)).trim();
  if (!KEY_TEXT.test(key)) throw new AppError('CONFIG_INVALID', 'The key is empty, or holds a space, a line break or another character that a key never has.');
  return key;
}
