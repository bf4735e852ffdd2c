/** Tells a JSON web token that somebody could use from the ones that tutorials print. */
import { base64Text } from './base64-text.ts';
import { isPlaceholder } from './placeholder.ts';
import type { Verdict } from './secret-rule.ts';

const HEADER = /"alg"\s{0,4}:\s{0,4}"(?!none)/i;
const DEMO_PAYLOAD = /john doe|jane doe|"1234567890"|supabase-demo|example|"foo"|"bar"|hello|lorem|demo/i;

/** @param token the three parts with their dots */
export function isLiveToken(token: string): Verdict {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = base64Text(payload);
  if (claims === undefined || DEMO_PAYLOAD.test(claims)) return 'no';
  return HEADER.test(base64Text(header) ?? '') && !isPlaceholder(signature) ? 'likely' : 'no';
}
