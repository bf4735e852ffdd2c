/** The sealed columns of the registry, as a rotation of the keyset walks through them (REV-39). */
import { accountSecretPlace, hookSecretPlace, type SealedColumn, type SqlPort } from '@weir/ports';

const ACCOUNTS = 'select id, sealed from weir_forge_accounts where id > $1 order by id limit $2';
const HOOKS = 'select hook, place, sealed from weir_hook_secrets where (hook, place) > ($1, $2::int) order by hook, place limit $3';

/** `<hook>/<place>`; the start is before every place. */
function readCursor(cursor: string): { readonly hook: string; readonly place: number } {
  const slash = cursor.lastIndexOf('/');
  return slash === -1 ? { hook: '', place: 0 } : { hook: cursor.slice(0, slash), place: Number(cursor.slice(slash + 1)) };
}

export function registrySecrets(database: SqlPort): readonly SealedColumn[] {
  return [
    {
      name: 'forge-accounts',
      async list(after, limit) {
        const { rows } = await database.query<{ id: string; sealed: string }>(ACCOUNTS, [after, limit]);
        return rows.map(({ id, sealed }) => ({ cursor: id, place: accountSecretPlace(id), sealed }));
      },
      async replace(cursor, before, after) {
        return (await database.query('update weir_forge_accounts set sealed = $3 where id = $1 and sealed = $2', [cursor, before, after])).count > 0;
      },
    },
    {
      name: 'hooks',
      async list(after, limit) {
        const { hook, place } = readCursor(after);
        const { rows } = await database.query<{ hook: string; place: number; sealed: string }>(HOOKS, [hook, place, limit]);
        return rows.map(row => ({ cursor: `${row.hook}/${row.place}`, place: hookSecretPlace(row.hook, row.place), sealed: row.sealed }));
      },
      async replace(cursor, before, after) {
        const { hook, place } = readCursor(cursor);
        const statement = 'update weir_hook_secrets set sealed = $4 where hook = $1 and place = $2 and sealed = $3';
        return (await database.query(statement, [hook, place, before, after])).count > 0;
      },
    },
  ];
}
