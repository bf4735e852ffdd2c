import type { Actor, RepositoryPath, Severity } from '@weir/contract';

/** A machine account of Weir at one forge. */
export interface ForgeAccount {
  readonly id: string;
  /** Name of the provider's descriptor. */
  readonly forge: string;
  /** Scheme and host of the forge as people see it; part of a review's identity (REV-1). */
  readonly origin: string;
  /** Origin and path of its API. */
  readonly baseUrl: string;
  readonly role: 'reviewer' | 'factory';
  /** Who the forge says it is; its stable id decides what is our own (REV-8). */
  readonly identity: Actor;
  readonly credential: { readonly kind: 'token' } | AppCredential;
  /** Sealed; opens at `accountSecretPlace(id)`. */
  readonly sealedSecret: string;
  /** What `account.scopes` said; null where a token of this kind tells none. */
  readonly scopes: readonly string[] | null;
  readonly observedAt: number;
  readonly state: 'active' | 'rejected';
  /** Stable ids; empty for everyone (REV-9). */
  readonly listedAuthors: readonly string[];
  readonly allowedBots: readonly string[];
}

/** An app, whose private key is the secret of its account. */
export interface AppCredential {
  readonly kind: 'app';
  readonly appId: string;
  /** Null until it is installed somewhere. */
  readonly installationId: number | null;
  /** Registration whose address the app itself delivers to, for all its repositories; absent where it has no webhook of its own. */
  readonly hook?: string;
}

export interface RegisteredRepository {
  readonly id: string;
  readonly account: string;
  readonly factoryAccount: string | null;
  readonly forge: string;
  readonly origin: string;
  /** Survives renames and transfers; null where the forge gives none. */
  readonly repositoryId: string | null;
  readonly path: RepositoryPath;
  readonly reviewDrafts: boolean;
  /** Everything runs and nothing is posted (REV-9). */
  readonly observe: boolean;
  /** A check fails at this severity; null: it never blocks. */
  readonly blockOn: Severity | null;
  readonly showCost: boolean;
  /** Stable ids of those who may command nothing here, whatever else is true of them (REV-27). */
  readonly deniedActors: readonly string[];
  /** Stable ids of those whose permission is not measured: they may ask for every command. */
  readonly grantedActors: readonly string[];
  /** The registration whose address its hook has. */
  readonly hook: string;
  readonly hookId: string | null;
  readonly lastDeliveryAt: number | null;
}

/** What an address of the ingress stands for: the hook of a repository, of a group, or of an app. */
export interface HookRegistration {
  /** The last part of the address; random, no secret. */
  readonly id: string;
  readonly account: string;
  readonly forge: string;
  readonly origin: string;
  /** Sealed, newest first; two while a secret is changed. Each opens at `hookSecretPlace(id, index)`. */
  readonly sealedSecrets: readonly string[];
}

export interface UnregisteredDelivery {
  readonly registration: string;
  readonly path: RepositoryPath;
  readonly repositoryId: string | null;
  readonly count: number;
  readonly lastAt: number;
}

/**
 * Accounts, repositories and hooks of a deployment (REV-8a, REV-9, REV-10). Throws the failures of SqlPort, and REGISTRATION_INVALID for what
 * the rules forbid: an account in use is not deleted nor moved, a repository's reviewer and factory account differ in identity.
 */
export interface ReviewRegistry {
  accounts(): Promise<readonly ForgeAccount[]>;
  account(id: string): Promise<ForgeAccount | undefined>;
  saveAccount(account: ForgeAccount): Promise<void>;
  /** What the forge says of a credential: nothing is changed where the account has another secret by now, or is gone. */
  noteCredential(seen: Pick<ForgeAccount, 'id' | 'sealedSecret' | 'state' | 'observedAt'>): Promise<void>;
  deleteAccount(id: string): Promise<void>;
  repositories(): Promise<readonly RegisteredRepository[]>;
  /** By stable id where the forge gives one, else by path; a path that has changed is brought up to date. */
  findRepository(place: {
    readonly forge: string;
    readonly origin: string;
    readonly repositoryId: string | null;
    readonly path: RepositoryPath;
  }): Promise<RegisteredRepository | undefined>;
  saveRepository(repository: RegisteredRepository): Promise<void>;
  /** With its hook, where that is neither another repository's nor an app's own. */
  deleteRepository(id: string): Promise<void>;
  hook(id: string): Promise<HookRegistration | undefined>;
  hooks(): Promise<readonly HookRegistration[]>;
  saveHook(hook: HookRegistration): Promise<void>;
  /** Of a verified delivery; `registered: false` counts a row for the inbox. */
  noteDelivery(delivery: {
    readonly registration: string;
    readonly repositoryId: string | null;
    readonly path: RepositoryPath;
    readonly at: number;
    readonly registered: boolean;
  }): Promise<void>;
  unregistered(limit: number): Promise<readonly UnregisteredDelivery[]>;
}

export const accountSecretPlace = (id: string) => ({ store: 'forge-accounts', row: id, column: 'secret' }) as const;
export const hookSecretPlace = (id: string, index: number) => ({ store: 'hooks', row: id, column: `secret-${index}` }) as const;
