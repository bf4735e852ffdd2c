/** `weir models credential add | list | disable | enable | remove`: the pool of a model provider's API keys (REV-32). */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type Options, textOf } from '../action.ts';
import type { Flags } from '../composition/load-settings.ts';
import { givenFlags } from '../flags.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { readCredential } from '../gateway/read-credential.ts';
import { writeJson, writeOut } from '../output.ts';
import { addCredential } from './models.command.ts';

export async function runCredentialAdd(modelProvider: string, options: Options): Promise<ExitCode> {
  const file = textOf(options, 'keyFile');
  if (file === undefined) throw new AppError('USAGE', 'the key is read from a file: --key-file <file>, or --key-file - for standard input');
  const secret = await readCredential(file);
  return withOperatorStores(givenFlags(options), async ({ stores }) => {
    const { providers } = await stores.config.rows();
    if (!providers.some(({ name }) => name === modelProvider)) throw new AppError('MODEL_UNKNOWN', `There is no model provider ${modelProvider}.`);
    await writeOut(`${await addCredential(stores, modelProvider, { label: textOf(options, 'label') ?? '', secret })}\n`);
    return EXIT.clean;
  });
}

export async function runCredentialList(json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const credentials = await stores.credentials.list();
    if (json) await writeJson({ credentials });
    else
      for (const { ref, modelProvider, label, state, limitedUntil } of credentials) {
        const until = limitedUntil === null ? '' : ` until ${new Date(limitedUntil).toISOString()}`;
        await writeOut(`${ref.padEnd(36)} ${modelProvider.padEnd(16)} ${state}${until}${label === ref ? '' : `  ${label}`}\n`);
      }
    return EXIT.clean;
  });
}

export async function runCredentialChange(verb: 'disable' | 'enable' | 'remove', ref: string, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    if (verb === 'remove') await stores.credentials.remove(ref);
    else await stores.credentials.setDisabled(ref, verb === 'disable');
    await writeOut(`${verb}d ${ref}\n`);
    return EXIT.clean;
  });
}
