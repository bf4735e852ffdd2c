/** Accounts, repositories and hooks in the database, shared by all processes of a deployment (REV-8a, REV-9, REV-10). */
import { retryConflict, type ReviewRegistry, type SealedColumn, type SqlPort, type SqlSession } from '@weir/ports';
import { registryDeliveries } from './registry-deliveries.ts';
import { registrySecrets } from './registry-secrets.ts';
import { checkAccount, checkDeletion, checkRepository, refused, unknownAccount, unknownRepository } from './registration-rules.ts';
import {
  accountColumns,
  accountOf,
  type AccountRow,
  hookOf,
  type HookRow,
  pathKey,
  repositoryColumns,
  repositoryOf,
  type RepositoryRow,
} from './registry-rows.ts';

type Account = Parameters<ReviewRegistry['saveAccount']>[0];
type Repository = Parameters<ReviewRegistry['saveRepository']>[0];
type Hook = Parameters<ReviewRegistry['saveHook']>[0];

const ATTEMPTS = 5;

/** Held until the transaction ends: one write at a time. */
const HOLD = 'select from weir_registry_lock for update';

const ACCOUNTS = 'select account, sealed from weir_forge_accounts order by id';
const ACCOUNT = 'select account, sealed from weir_forge_accounts where id = $1';
const SAVE_ACCOUNT = `insert into weir_forge_accounts (id, forge, origin, account, sealed) values ($1, $2, $3, $4::json, $5)
  on conflict (id) do update set forge = excluded.forge, origin = excluded.origin, account = excluded.account, sealed = excluded.sealed`;

const REPOSITORIES = 'select repository, last_delivery_at from weir_repositories order by forge, origin, path_key, id';
/** Bound by the account itself, as reviewer or as factory, or through one of its hooks. */
const BOUND = `select repository, last_delivery_at from weir_repositories
  where account = $1 or factory_account = $1 or hook in (select id from weir_hooks where account = $1) order by path_key`;
const FIND_BY_ID = 'select repository, last_delivery_at from weir_repositories where forge = $1 and origin = $2 and repository_id = $3';
/** Where an id was asked for, one with another id is another repository, whatever path it once had. */
const FIND_BY_PATH = `select repository, last_delivery_at from weir_repositories
  where forge = $1 and origin = $2 and path_key = $3 and ($4 or repository_id is null) order by repository_id nulls first, id limit 1`;
const TAKEN = `select repository, last_delivery_at from weir_repositories where forge = $1 and origin = $2 and id <> $5
  and (repository_id = $3 or path_key = $4 and (repository_id is null or $3::text is null)) limit 1`;
const SAVE_REPOSITORY = `insert into weir_repositories
  (id, account, factory_account, hook, forge, origin, repository_id, path_key, repository) values ($1, $2, $3, $4, $5, $6, $7, $8, $9::json)
  on conflict (id) do update set account = excluded.account, factory_account = excluded.factory_account, hook = excluded.hook, forge = excluded.forge,
    origin = excluded.origin, repository_id = excluded.repository_id, path_key = excluded.path_key, repository = excluded.repository`;
/** A repository that is registered now needs no row in the inbox. */
const REGISTERED = `delete from weir_unregistered using weir_hooks where weir_hooks.id = registration and forge = $1 and origin = $2
  and (repository_id = $3 or path_key = $4)`;

const HOOK_COLUMNS = `select id, account, forge, origin,
  coalesce((select array_agg(sealed order by place) from weir_hook_secrets where hook = weir_hooks.id), '{}') as sealed from weir_hooks`;
const SAVE_HOOK = `insert into weir_hooks (id, account, forge, origin) values ($1, $2, $3, $4)
  on conflict (id) do update set account = excluded.account, forge = excluded.forge, origin = excluded.origin`;
const ADD_SECRETS = `insert into weir_hook_secrets (hook, place, sealed)
  select $1, place - 1, sealed from unnest($2::text[]) with ordinality as given (sealed, place)`;

/** Neither the hook of another repository nor that of an app as a whole. */
const DELETE_UNUSED_HOOK = `delete from weir_hooks where id = $1 and not exists (select from weir_repositories where hook = $1)
  and not exists (select from weir_forge_accounts where account->'credential'->>'hook' = $1)`;

export interface SqlReviewRegistry extends ReviewRegistry {
  /** For a rotation of the keyset: the secrets of accounts and of hooks. */
  readonly secrets: readonly SealedColumn[];
}

async function accountIn(session: SqlSession, id: string | null): Promise<Account | undefined> {
  const { rows } = await session.query<AccountRow>(ACCOUNT, [id]);
  return rows[0] === undefined ? undefined : accountOf(rows[0]);
}

async function hookIn(session: SqlSession, id: string): Promise<Hook | undefined> {
  const { rows } = await session.query<HookRow>(`${HOOK_COLUMNS} where id = $1`, [id]);
  return rows[0] === undefined ? undefined : hookOf(rows[0]);
}

async function repositoriesIn(session: SqlSession, statement: string, parameters: readonly unknown[]): Promise<readonly Repository[]> {
  return (await session.query<RepositoryRow>(statement, parameters)).rows.map(repositoryOf);
}

async function saveAccountIn(session: SqlSession, account: Account): Promise<void> {
  const bound = [];
  for (const repository of await repositoriesIn(session, BOUND, [account.id])) {
    const other = [repository.account, repository.factoryAccount].find(id => id !== account.id);
    const bindsIt = repository.account === account.id || repository.factoryAccount === account.id;
    bound.push({ ...repository, other: bindsIt ? await accountIn(session, other ?? null) : undefined });
  }
  const { rows } = await session.query('select from weir_hooks where account = $1 limit 1', [account.id]);
  checkAccount(account, { before: await accountIn(session, account.id), hooks: rows.length > 0, bound });
  await session.query(SAVE_ACCOUNT, accountColumns(account));
}

async function noteCredentialIn(session: SqlSession, { id, sealedSecret, state, observedAt }: Parameters<ReviewRegistry['noteCredential']>[0]): Promise<void> {
  const account = await accountIn(session, id);
  if (account?.sealedSecret === sealedSecret) await session.query(SAVE_ACCOUNT, accountColumns({ ...account, state, observedAt }));
}

async function deleteRepositoryIn(session: SqlSession, id: string): Promise<void> {
  const { rows } = await session.query<{ hook: string }>('delete from weir_repositories where id = $1 returning hook', [id]);
  const [deleted] = rows;
  if (deleted === undefined) throw unknownRepository(id);
  await session.query(DELETE_UNUSED_HOOK, [deleted.hook]);
}

async function deleteAccountIn(session: SqlSession, id: string): Promise<void> {
  checkDeletion(id, await repositoriesIn(session, BOUND, [id]));
  if ((await session.query('delete from weir_forge_accounts where id = $1', [id])).count === 0) throw unknownAccount(id);
}

async function saveRepositoryIn(session: SqlSession, repository: Repository): Promise<void> {
  const { account, factoryAccount, hook, forge, origin, repositoryId, path } = repository;
  const accounts = { reviewer: await accountIn(session, account), factory: await accountIn(session, factoryAccount) };
  checkRepository(repository, accounts, await hookIn(session, hook));
  const [taken] = await repositoriesIn(session, TAKEN, [forge, origin, repositoryId, pathKey(path), repository.id]);
  if (taken !== undefined) throw refused(`${path.owner}/${path.name} at ${origin} is registered already, as ${taken.id}.`, 'Change it: weir repo set.');
  await session.query(SAVE_REPOSITORY, repositoryColumns(repository));
  await session.query(REGISTERED, [forge, origin, repositoryId, pathKey(path)]);
}

async function saveHookIn(session: SqlSession, { id, account, forge, origin, sealedSecrets }: Hook): Promise<void> {
  const owner = await accountIn(session, account);
  if (owner === undefined) throw unknownAccount(account);
  if (owner.forge !== forge || owner.origin !== origin) throw refused(`The account ${account} is for ${owner.origin}, and the hook ${id} for ${origin}.`);
  await session.query(SAVE_HOOK, [id, account, forge, origin]);
  await session.query('delete from weir_hook_secrets where hook = $1', [id]);
  await session.query(ADD_SECRETS, [id, sealedSecrets]);
}

export function sqlReviewRegistry(database: SqlPort): SqlReviewRegistry {
  const write = (work: (session: SqlSession) => Promise<void>): Promise<void> =>
    retryConflict(
      database,
      async session => {
        await session.query(HOLD);
        await work(session);
      },
      ATTEMPTS,
    );

  async function findRepository({ forge, origin, repositoryId, path }: Parameters<ReviewRegistry['findRepository']>[0]): Promise<Repository | undefined> {
    const [byId] = repositoryId === null ? [] : await repositoriesIn(database, FIND_BY_ID, [forge, origin, repositoryId]);
    const found = byId ?? (await repositoriesIn(database, FIND_BY_PATH, [forge, origin, pathKey(path), repositoryId === null]))[0];
    if (found === undefined || (found.path.owner === path.owner && found.path.name === path.name)) return found;
    const renamed = { ...found, path };
    // The row may have changed since it was read, so that only its path is written.
    await write(async session => {
      const [now] = await repositoriesIn(session, 'select repository, last_delivery_at from weir_repositories where id = $1', [found.id]);
      if (now !== undefined) await session.query(SAVE_REPOSITORY, repositoryColumns({ ...now, path }));
    });
    return renamed;
  }

  return {
    accounts: async () => (await database.query<AccountRow>(ACCOUNTS)).rows.map(accountOf),
    account: id => accountIn(database, id),
    saveAccount: account => write(session => saveAccountIn(session, account)),
    noteCredential: seen => write(session => noteCredentialIn(session, seen)),
    deleteAccount: id => write(session => deleteAccountIn(session, id)),
    repositories: () => repositoriesIn(database, REPOSITORIES, []),
    findRepository,
    saveRepository: repository => write(session => saveRepositoryIn(session, repository)),
    deleteRepository: id => write(session => deleteRepositoryIn(session, id)),
    hook: id => hookIn(database, id),
    hooks: async () => (await database.query<HookRow>(`${HOOK_COLUMNS} order by id`)).rows.map(hookOf),
    saveHook: hook => write(session => saveHookIn(session, hook)),
    ...registryDeliveries(database),
    secrets: registrySecrets(database),
  };
}
