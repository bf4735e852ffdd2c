/** `weir login-link`: another one-time link to the dashboard, for who may read the keyset and the database anyway. */
import { LINK_PATH } from '@weir/api-http';
import { EXIT, type ExitCode } from '@weir/contract';
import type { Flags } from '../composition/load-settings.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { writeOut } from '../output.ts';
import { originOf } from '../registration/api-address.ts';

/** @param address where the dashboard is, as `weir serve` has printed it */
export async function runLoginLink(address: string, flags: Flags): Promise<ExitCode> {
  const origin = originOf(address, '--address');
  return withOperatorStores(flags, async ({ stores }) => {
    await writeOut(`${origin}${LINK_PATH}/${await stores.signInLinks.make()}\n`);
    return EXIT.clean;
  });
}
