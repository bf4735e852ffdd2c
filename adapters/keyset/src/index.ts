export { createSecretBox, type KeysetSource } from './create-secret-box.ts';
export { createKeysetFile, keysetFileSource, readKeysetFile } from './keyset-file.ts';
export { type Keyset, keysetText, readKeyset, withNewKey } from './keyset.ts';
export { type ResealReport, resealColumns } from './reseal-columns.ts';
export { type RotationReport, rotateKeyset } from './rotate-keyset.ts';
export { SecretUnreadable, type UnreadableReason } from './secret-unreadable.ts';
