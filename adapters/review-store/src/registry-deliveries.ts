/** What verified deliveries leave behind: the moment of the last one, and a row for a repository that nobody has registered (REV-10). */
import type { ReviewRegistry, SqlPort } from '@weir/ports';
import { pathKey, unregisteredOf, type UnregisteredRow } from './registry-rows.ts';

const SEEN = `update weir_repositories repository set last_delivery_at = greatest(coalesce(last_delivery_at, 0), $4) from weir_hooks hook
  where hook.id = $1 and repository.forge = hook.forge and repository.origin = hook.origin
  and (repository.repository_id = $2 or repository.path_key = $3 and (repository.repository_id is null or $2::text is null))`;
/** Of a hook that is deleted meanwhile nothing is counted. */
const COUNT = `insert into weir_unregistered as known (registration, repository_key, repository_id, path_key, path, count, last_at)
  select $1, $2, $3, $4, $5::json, 1, $6 from weir_hooks where id = $1 for key share
  on conflict (registration, repository_key) do update set path_key = excluded.path_key, path = excluded.path, count = known.count + 1,
    last_at = greatest(known.last_at, excluded.last_at)`;
const LIST = 'select * from weir_unregistered order by last_at desc, registration, repository_key limit $1';

export function registryDeliveries(database: SqlPort): Pick<ReviewRegistry, 'noteDelivery' | 'unregistered'> {
  return {
    async noteDelivery({ registration, repositoryId, path, at, registered }) {
      if (registered) await database.query(SEEN, [registration, repositoryId, pathKey(path), at]);
      else await database.query(COUNT, [registration, repositoryId ?? pathKey(path), repositoryId, pathKey(path), JSON.stringify(path), at]);
    },
    unregistered: async limit => (await database.query<UnregisteredRow>(LIST, [limit])).rows.map(unregisteredOf),
  };
}
