/** The keyset of this installation, which encrypts stored credentials (REV-39). */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { createKeysetFile, createSecretBox, keysetFileSource } from '@weir/keyset';
import type { SecretBox } from '@weir/ports';
import { configFile } from '../paths.ts';
import type { OperatorStores } from './operator-calls.ts';

export const keysetFile = (): string => path.join(path.dirname(configFile()), 'keyset.json');

/** For reading; a missing keyset is a failure of the first read. */
export const openSecretBox = (): SecretBox => createSecretBox(keysetFileSource(keysetFile()));

/** For writing: the first credential makes the keyset. One that is missing while credentials are stored is lost, and is not replaced. */
export async function secretBoxForWriting({ credentials, registry }: Pick<OperatorStores, 'credentials' | 'registry'>): Promise<SecretBox> {
  const file = keysetFile();
  if (!existsSync(file)) {
    if ((await credentials.list()).length + (await registry.accounts()).length > 0) {
      throw new AppError('KEYSET_INVALID', `The keyset ${file} is missing, and stored credentials are encrypted with it.`, {
        next: 'Restore it from its backup, or remove the credentials (`weir models credential remove`, `weir account remove`) and add them again.',
      });
    }
    createKeysetFile(file, new Date());
  }
  return createSecretBox(keysetFileSource(file));
}
