/** Judges what stands behind `Basic` and `Bearer`. */
import { base64Text } from './base64-text.ts';
import { isPlaceholder } from './placeholder.ts';
import { isRandomText } from './random-text.ts';
import type { Verdict } from './secret-rule.ts';

const USER_AND_PASSWORD = /^([\x21-\x39\x3b-\x7e]{0,200}):([\x21-\x7e]{4,300})$/;
/** Common made-up pairs: the one of RFC 7617 and its like. */
const MADE_UP = /open ?sesame|^(?:user(?:name)?|admin|foo|bar|test|root|guest|aladdin|bob|alice|me):|:(?:pass(?:word|wd)?|secret|admin|guest)\d*$/i;

/** A Basic credential is base64 of `user:password` in printable characters. */
export function judgeBasic(encoded: string): Verdict {
  const pair = USER_AND_PASSWORD.exec(base64Text(encoded) ?? '');
  if (pair === null) return 'no';
  return MADE_UP.test(pair[0]) || isPlaceholder(pair[0]) ? 'no' : 'likely';
}

/** A Bearer token is random text; words of prose and names of variables are not. */
export const judgeBearer = (token: string): Verdict => (isRandomText(token) ? 'likely' : 'no');
