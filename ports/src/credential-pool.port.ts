import type { SealedColumn, SecretPlace } from './secret-box.port.ts';

export type CredentialState = 'available' | 'rate_limited' | 'rejected' | 'disabled';

export interface ModelCredential {
  /** Stands in charges and logs. */
  readonly ref: string;
  /** The pool. */
  readonly modelProvider: string;
  /** For people; never the secret. */
  readonly label: string;
  /** Counts up with each new secret, so that a late report about the old one is dropped. */
  readonly version: number;
  readonly state: CredentialState;
  /** Milliseconds since 1970; null unless `rate_limited`. */
  readonly limitedUntil: number | null;
  /** When it was last limited or rejected; null: never. */
  readonly exhaustedAt: number | null;
}

export interface NewCredential extends Pick<ModelCredential, 'ref' | 'modelProvider' | 'label'> {
  /** From SecretBox.seal at `credentialPlace`. */
  readonly sealed: string;
}

export type CredentialPick =
  | { readonly available: true; readonly ref: string; readonly version: number; readonly sealed: string }
  /** `returnsAt` is the earliest end of a limit; null when nothing comes back by itself. `none`: the pool is empty or all of it is disabled. */
  | { readonly available: false; readonly reason: 'none' | 'rate_limited' | 'rejected'; readonly returnsAt: number | null };

export type CredentialReport = { readonly kind: 'rate_limited'; readonly until: number } | { readonly kind: 'rejected' };

/** The provider is part of the place: a ciphertext that is moved to another provider's pool does not open. */
export const credentialPlace = ({ ref, modelProvider }: Pick<ModelCredential, 'ref' | 'modelProvider'>): SecretPlace => ({
  store: 'model-credentials',
  row: `${modelProvider}/${ref}`,
  column: 'secret',
});

/**
 * The credentials of the model providers (REV-32), shared by all processes. The one that was exhausted longest ago is used until
 * it is exhausted itself: turns in a circle would empty all of them together. Throws AppError MODEL_UNKNOWN for a provider or a
 * credential that is not there, and the failures of SqlPort.
 */
export interface CredentialPool {
  add(credential: NewCredential): Promise<void>;
  /** A new secret is available, whatever became of the old one; a disabled credential stays disabled. */
  replaceSecret(ref: string, sealed: string): Promise<void>;
  setDisabled(ref: string, disabled: boolean): Promise<void>;
  remove(ref: string): Promise<void>;
  list(): Promise<readonly ModelCredential[]>;
  pick(modelProvider: string): Promise<CredentialPick>;
  /** A shorter limit never ends a longer one; a limit never ends a rejection; a report about a version that is gone changes nothing. */
  report(ref: string, version: number, report: CredentialReport): Promise<void>;
  readonly secrets: SealedColumn;
}
