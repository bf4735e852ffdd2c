/** `weir token create | list | revoke`: bearer tokens of programs (REV-39a). A token is printed once, when it is made, and kept as its hash alone. */
import { API_ROLES, EXIT, type ExitCode, type Role } from '@weir/contract';
import type { ApiToken } from '@weir/identity';
import { AppError } from '@weir/kernel';
import { type Options, textOf } from '../action.ts';
import type { Flags } from '../composition/load-settings.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { readMoment } from '../gateway/read-moment.ts';
import { writeJson, writeOut } from '../output.ts';

function roleOf(text: string | undefined): Role {
  const role = API_ROLES.find(one => one === text);
  if (role === undefined) throw new AppError('USAGE', `--role is ${API_ROLES.join(' or ')}`);
  return role;
}

export async function runTokenCreate(options: Options, flags: Flags): Promise<ExitCode> {
  const role = roleOf(textOf(options, 'role'));
  const expires = textOf(options, 'expires');
  const expiresAt = expires === undefined ? null : readMoment(expires, '--expires', { now: Date.now(), direction: 1 });
  return withOperatorStores(flags, async ({ stores, settings }) => {
    const { id, secret } = await stores.tokens.create({ label: textOf(options, 'label') ?? '', role, expiresAt });
    if (options['json'] === true) await writeJson({ id, token: secret, role, expiresAt });
    else {
      if (!settings.get<boolean>('output.quiet')) process.stderr.write(`token ${id}; it is printed once and not kept:\n`);
      await writeOut(`${secret}\n`);
    }
    return EXIT.clean;
  });
}

export async function runTokenList(json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const now = Date.now();
    const tokens = (await stores.tokens.list()).map(token => ({ ...token, state: stateOf(token, now) }));
    if (json) await writeJson({ tokens });
    else if (tokens.length === 0) await writeOut('No tokens yet. Make one: weir token create --label ci\n');
    else await writeOut(tokens.map(({ id, state, role, label }) => `${`${id}  ${state.padEnd(7)}  ${role.padEnd(6)}  ${label}`.trimEnd()}\n`).join(''));
    return EXIT.clean;
  });
}

const stateOf = ({ revokedAt, expiresAt }: ApiToken, now: number): 'revoked' | 'expired' | 'valid' =>
  revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= now ? 'expired' : 'valid';

export async function runTokenRevoke(id: string, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    if (!(await stores.tokens.revoke(id))) throw new AppError('NOT_FOUND', `There is no token ${id}.`, { next: 'List them: weir token list.' });
    await writeOut(`revoked ${id}\n`);
    return EXIT.clean;
  });
}
