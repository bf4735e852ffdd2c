/** Rows of the registry: what is asked for has columns, the rest is one JSON value, secrets are ciphertexts apart. */
import type { ForgeAccount, HookRegistration, RegisteredRepository, SqlRow, UnregisteredDelivery } from '@weir/ports';

/** Every forge takes `Owner/Name` and `owner/name` for one repository. */
export const pathKey = ({ owner, name }: RegisteredRepository['path']): string => `${owner}/${name}`.toLowerCase();

export interface AccountRow extends SqlRow {
  readonly account: Omit<ForgeAccount, 'sealedSecret'>;
  readonly sealed: string;
}

export const accountOf = ({ account, sealed }: AccountRow): ForgeAccount => ({ ...account, sealedSecret: sealed });

export function accountColumns({ sealedSecret, ...account }: ForgeAccount): readonly unknown[] {
  return [account.id, account.forge, account.origin, JSON.stringify(account), sealedSecret];
}

export interface RepositoryRow extends SqlRow {
  readonly repository: Omit<RegisteredRepository, 'lastDeliveryAt'>;
  readonly last_delivery_at: string | null;
}

export const repositoryOf = ({ repository, last_delivery_at }: RepositoryRow): RegisteredRepository => ({
  ...repository,
  lastDeliveryAt: last_delivery_at === null ? null : Number(last_delivery_at),
});

/** The moment of the last delivery is written by deliveries alone. */
export function repositoryColumns(repository: RegisteredRepository): readonly unknown[] {
  const { id, account, factoryAccount, hook, forge, origin, repositoryId, path } = repository;
  return [id, account, factoryAccount, hook, forge, origin, repositoryId, pathKey(path), JSON.stringify({ ...repository, lastDeliveryAt: undefined })];
}

export interface HookRow extends SqlRow {
  readonly id: string;
  readonly account: string;
  readonly forge: string;
  readonly origin: string;
  readonly sealed: readonly string[];
}

export const hookOf = ({ id, account, forge, origin, sealed }: HookRow): HookRegistration => ({ id, account, forge, origin, sealedSecrets: sealed });

export interface UnregisteredRow extends SqlRow {
  readonly registration: string;
  readonly repository_id: string | null;
  readonly path: UnregisteredDelivery['path'];
  readonly count: string;
  readonly last_at: string;
}

export const unregisteredOf = (row: UnregisteredRow): UnregisteredDelivery => ({
  registration: row.registration,
  path: row.path,
  repositoryId: row.repository_id,
  count: Number(row.count),
  lastAt: Number(row.last_at),
});
