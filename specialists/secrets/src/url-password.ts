/** Judges `user:password@host` of a URL. Local databases with a toy password are everywhere and reach nobody. */
import type { Verdict } from './secret-rule.ts';

const LOCAL_HOST =
  /^(?:localhost|127\.|0\.0\.0\.0|\[?::1|10\.0\.0\.|192\.168\.|host\.docker\.internal|host(?:name)?\b|server\b|domain\b|my[-_.]|your|proxy\b|foo|bar|[a-z]$|xxx)|(?:^|\.)(?:example|invalid|test|local|localhost|internal\.test)(?:\.(?:com|org|net))?$|[$%{}[\]*]/i;
const MIN_LENGTH = 6;
const MIN_INTERNAL_LENGTH = 12;
/** A host of one word is a container or service name: its password counts only when it is not a toy. */
const ONE_WORD = /^[\w-]+$/;
const TOY =
  /^(?:(?:p(?:ass|wd|w|sw)(?:word|wd)?|word|my|secret|admin|root|guest|user|test|dev|local|postgres|mysql|mongo|redis|rabbit|db|letmein|changeit|minioadmin|foo|bar|baz)[\d!_-]{0,6}){1,3}$|^(?:x+|\*+|\.+|-+|_+)$|1234|4321|7890|abcd/i;

/**
 * @param password what stands between `:` and `@`
 * @param match `://user:password@host`
 */
export function judgeUrlPassword(password: string, match: string): Verdict {
  const user = match.slice(3, match.indexOf(':', 3));
  const host = match.slice(match.lastIndexOf('@') + 1);
  if (LOCAL_HOST.test(host) || TOY.test(password) || password === user) return 'no';
  if (!ONE_WORD.test(host)) return host.includes('.') && password.length >= MIN_LENGTH ? 'likely' : 'no';
  return password.length >= MIN_INTERNAL_LENGTH && /\d/.test(password) && /[A-Za-z]/.test(password) ? 'likely' : 'no';
}
