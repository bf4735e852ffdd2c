/** `weir keyset rotate`: a new key, everything encrypted again with it, the key before the last dropped (REV-39). */
import { EXIT, type ExitCode } from '@weir/contract';
import { rotateKeyset } from '@weir/keyset';
import type { Flags } from '../composition/load-settings.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { keysetFile } from '../gateway/open-secret-box.ts';
import { writeOut } from '../output.ts';

/** Exit code 6 where something could not be encrypted again: no key is dropped then. */
export async function runKeysetRotate(flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const { primary, resealed, unreadable, unsettled, dropped } = await rotateKeyset(keysetFile(), stores.secrets, new Date());
    await writeOut(`new key ${primary}; ${resealed} secrets encrypted with it\n`);
    for (const { column, cursor, reason } of unreadable) await writeOut(`unreadable: ${column} ${cursor}: ${reason}\n`);
    if (unsettled > 0) await writeOut(`${unsettled} secrets changed meanwhile; run it again\n`);
    await writeOut(dropped.length === 0 ? 'no key dropped\n' : `dropped ${dropped.join(', ')}\n`);
    return unreadable.length + unsettled > 0 ? EXIT.incomplete : EXIT.clean;
  });
}
