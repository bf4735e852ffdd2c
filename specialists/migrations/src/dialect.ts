/**
 * Which database a migration is for, by its path, the tool's own files and words that only one dialect has.
 * Locks and rewrites differ so much that a rule must know; `unknown` keeps to what holds on PostgreSQL, in a lower voice.
 */
import type { SqlToken } from './sql-token.ts';

export type Dialect = 'postgres' | 'mysql' | 'sqlite' | 'other' | 'unknown';

/** First match wins: the rows that are hardest to mistake stand first. Met with tokens that one space separates. */
const BY_TEXT: readonly (readonly [Dialect, RegExp])[] = [
  ['mysql', /`|\bENGINE =|\bAUTO_INCREMENT\b|\bMODIFY COLUMN\b|\bCHANGE COLUMN\b|\bUNSIGNED\b|\bDELIMITER\b|\bALGORITHM = (?:INPLACE|INSTANT|COPY)\b/i],
  ['sqlite', /\bPRAGMA\b|\bAUTOINCREMENT\b|\bWITHOUT ROWID\b/i],
  ['other', /\[|\bNVARCHAR\b|\bIDENTITY \( 1|\bVARCHAR2\b|\bMergeTree\b|\bsp_rename\b|\bON CLUSTER\b|\bWITH \( ONLINE\b/i],
  [
    'postgres',
    /: : |\$|\b(?:CONCURRENTLY|(?:BIG|SMALL)?SERIAL|JSONB|TIMESTAMPTZ|BYTEA|plpgsql|gen_random_uuid|lock_timeout)\b|\bUSING (?:gin|gist|btree|brin|INDEX)\b|"public"|\bpublic \. |\bNOT VALID\b|\bSET (?:DATA TYPE|NOT NULL)\b|\bDOUBLE PRECISION\b|\bTIMESTAMP \( [36] \)|\bALTER (?:COLUMN )?\S{1,80} TYPE\b/i,
  ],
];

const NAMES: readonly (readonly [Dialect, RegExp])[] = [
  ['postgres', /postgres|supabase|(?:^|[^a-z])(?:pg|psql)(?:[^a-z]|$)/i],
  ['mysql', /mysql|mariadb|trilogy/i],
  ['sqlite', /sqlite|libsql|turso|(?:^|[^a-z])d1(?:[^a-z]|$)/i],
  ['other', /sqlserver|mssql|cockroach|oracle|clickhouse|snowflake|bigquery|cassandra|spanner|hana|db2/i],
];

const first = (rows: typeof NAMES, text: string): Dialect => rows.find(([, pattern]) => pattern.test(text))?.[0] ?? 'unknown';

/** The dialect that a name such as `mysql2`, `postgresql` or a path says. */
export const dialectOfName = (name: string): Dialect => first(NAMES, name);

/** Enough of a script to tell its dialect. */
const MAX_TOKENS = 20_000;

/** The dialect that the words of a migration show. Comments and the contents of strings do not count. */
export const dialectOfTokens = (tokens: readonly SqlToken[]): Dialect =>
  first(
    BY_TEXT,
    tokens
      .slice(0, MAX_TOKENS)
      .map(token => (token.kind === 'string' ? token.quote : `${token.quote}${token.text}${token.quote}`))
      .join(' '),
  );

/** Files in which a tool states its dialect, nearest first: Prisma, Drizzle, Rails. */
export function dialectFiles(path: string): readonly string[] {
  const parts = path.split('/');
  const folders = parts
    .slice(0, -1)
    .map((_, index) => parts.slice(0, index + 1).join('/'))
    .reverse();
  // Prisma keeps its lock file one folder above, Drizzle its journal beside the script.
  const near = folders.slice(0, 2).flatMap(folder => [`${folder}/migration_lock.toml`, `${folder}/meta/_journal.json`]);
  const at = path.lastIndexOf('db/migrate/');
  return at < 0 ? near : [`${path.slice(0, at)}config/database.yml`];
}

/** The dialect that such a file states. */
export const dialectOfFile = (text: string): Dialect => dialectOfName(/(?:provider\s*=|"dialect"\s*:|adapter\s*:)\s*"?([a-z0-9]{2,20})/i.exec(text)?.[1] ?? '');
