/**
 * Where a token comes from (PRV-13): the environment in the descriptor's order, then a vendor's CLI, which yields a token and
 * never carries a call.
 */
import type { ProviderDescriptor } from '@weir/contract';
import { failed, type Outcome } from '../provider-failure.ts';

/** Runs a program without a shell and gives what it printed; undefined where it is missing or fails. */
export type RunTool = (command: readonly string[], signal: AbortSignal) => Promise<string | undefined>;

export interface TokenSources {
  readonly env: (name: string) => string | undefined;
  readonly runTool?: RunTool;
}

type Fallback = NonNullable<ProviderDescriptor['auth']['fallback']>;

const COMMANDS: Readonly<Record<Fallback, (host: string) => readonly string[]>> = {
  gh: host => ['gh', 'auth', 'token', '--hostname', host],
  glab: host => ['glab', 'config', 'get', 'token', '--host', host],
};

const MAX_TOKEN_CHARACTERS = 8_192;
const TOKEN = /^[\u0021-\u007e]+$/;

const usable = (text: string): boolean => text.length <= MAX_TOKEN_CHARACTERS && TOKEN.test(text);

/** The token, or a failure that says where it was looked for and holds nothing of what was there. */
export const findToken = async (auth: ProviderDescriptor['auth'], sources: TokenSources, host: string, signal: AbortSignal): Promise<Outcome<string>> => {
  for (const name of auth.env) {
    const token = sources.env(name)?.trim() ?? '';
    if (token === '') continue;
    return usable(token) ? { ok: true, value: token } : failed('Unauthorized', `${name} holds no token: spaces or characters outside ASCII`);
  }
  const printed = auth.fallback === undefined ? undefined : await sources.runTool?.(COMMANDS[auth.fallback](host), signal);
  const token = printed?.trim() ?? '';
  if (usable(token)) return { ok: true, value: token };
  const also = auth.fallback === undefined ? '' : `, or log in with ${auth.fallback}`;
  return failed('Unauthorized', 'there is no credential', { hint: `Set ${auth.env.join(' or ')}${also}.` });
};
