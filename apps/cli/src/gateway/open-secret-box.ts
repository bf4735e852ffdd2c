/** The keyset of this installation, which encrypts the model providers' credentials (REV-39). */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { createKeysetFile, createSecretBox, keysetFileSource } from '@weir/keyset';
import type { CredentialPool, SecretBox } from '@weir/ports';
import { configFile } from '../paths.ts';

export const keysetFile = (): string => path.join(path.dirname(configFile()), 'keyset.json');

/** For reading; a missing keyset is a failure of the first read. */
export const openSecretBox = (): SecretBox => createSecretBox(keysetFileSource(keysetFile()));

/** For writing: the first credential makes the keyset. One that is missing while credentials are stored is lost, and is not replaced. */
export async function secretBoxForWriting(credentials: Pick<CredentialPool, 'list'>): Promise<SecretBox> {
  const file = keysetFile();
  if (!existsSync(file)) {
    if ((await credentials.list()).length > 0) {
      throw new AppError('KEYSET_INVALID', `The keyset ${file} is missing, and stored credentials are encrypted with it.`, {
        next: 'Restore it from its backup, or remove the credentials (`weir models credential remove`) and add them again.',
      });
    }
    createKeysetFile(file, new Date());
  }
  return createSecretBox(keysetFileSource(file));
}
