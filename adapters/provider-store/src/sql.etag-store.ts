/** Answers to conditional GETs in the database, shared by all processes, bounded; what was used longest ago goes first. */
import type { EtagBounds, EtagEntry, EtagKey, EtagStore, SqlPort } from '@weir/ports';
import type { StoreSources } from './store-sources.ts';

/** A use is noted at most this often for each entry: a note for every read would make every read a write. */
const NOTE_USE_MS = 60_000;

const READ = 'select etag, status, headers, body, used_at from weir_etags where provider = $1 and credential = $2 and request = $3';
const NOTE_USE = 'update weir_etags set used_at = greatest(used_at, $4) where provider = $1 and credential = $2 and request = $3';
const DELETE = 'delete from weir_etags where provider = $1 and credential = $2 and request = $3';
const WRITE = `insert into weir_etags (provider, credential, request, etag, status, headers, body, used_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (provider, credential, request) do update
  set etag = excluded.etag, status = excluded.status, headers = excluded.headers, body = excluded.body, used_at = excluded.used_at`;
/** Whatever lies beyond the bounds when the entries are laid down from the newest to the oldest. What another process holds is left to it. */
const TRIM = `delete from weir_etags where ctid = any (array (
    select entry.ctid from weir_etags entry join (
      select provider, credential, request, row_number() over newest as place, sum(octet_length(body)) over newest as bytes
      from weir_etags window newest as (order by used_at desc, provider, credential, request)
    ) laid using (provider, credential, request)
    where laid.place > $1 or laid.bytes > $2
    for update of entry skip locked
  ))`;

interface StoredEntry extends Record<string, unknown> {
  readonly etag: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly used_at: string;
}

const idOf = ({ provider, credential, url, accept }: EtagKey): [string, string, string] => [provider, credential, JSON.stringify([accept, url])];

/** The least recently used is known to a minute. Processes that write at the same time may each trim; the bounds hold. */
export function sqlEtagStore(database: SqlPort, bounds: EtagBounds, { now }: Pick<StoreSources, 'now'>): EtagStore {
  async function get(key: EtagKey): Promise<EtagEntry | undefined> {
    const { rows } = await database.query<StoredEntry>(READ, idOf(key));
    const [found] = rows;
    if (found === undefined) return undefined;
    if (now() - Number(found.used_at) >= NOTE_USE_MS) await database.query(NOTE_USE, [...idOf(key), now()]);
    return { etag: found.etag, status: found.status, headers: found.headers, body: found.body };
  }

  async function put(key: EtagKey, { etag, status, headers, body }: EtagEntry): Promise<boolean> {
    if (body.length > bounds.maxEntryBytes) {
      await database.query(DELETE, idOf(key));
      return false;
    }
    await database.query(WRITE, [...idOf(key), etag, status, headers, body, now()]);
    await database.query(TRIM, [bounds.maxEntries, bounds.maxBytes]);
    return true;
  }

  async function forget({ provider, credential }: Pick<EtagKey, 'provider' | 'credential'>): Promise<void> {
    await database.query('delete from weir_etags where provider = $1 and credential = $2', [provider, credential]);
  }

  return { get, put, forget };
}
