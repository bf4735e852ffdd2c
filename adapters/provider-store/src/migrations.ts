/** The tables of the provider stores, as data for the migrator. A file that has been released is never changed. */

const RATE_STATES = `
create table weir_rate_states (
  provider text not null,
  credential text not null,
  state jsonb not null,
  primary key (provider, credential)
) with (fillfactor = 50);
`;

const ETAGS = `
create table weir_etags (
  provider text not null,
  credential text not null,
  request text not null,
  etag text not null,
  status int not null,
  headers jsonb not null,
  body bytea not null,
  used_at bigint not null,
  primary key (provider, credential, request)
);
create index weir_etags_by_use on weir_etags (used_at);
`;

/**
 * The chain is linked inside the database, in one round trip and under one lock, so that however many processes append,
 * there is one chain. \`auditLink\` of the ports writes the same text. Rows can only be added.
 */
const AUDIT_LOG = `
create table weir_audit_log (
  sequence bigint primary key,
  text text not null,
  hash text not null
);

create function weir_audit_append(texts text[]) returns table (line_sequence bigint, line_hash text) language plpgsql as $$
declare
  previous text;
  entry text;
begin
  perform pg_advisory_xact_lock(2003133042);
  select sequence, hash into line_sequence, previous from weir_audit_log order by sequence desc limit 1;
  line_sequence := coalesce(line_sequence, 0);
  previous := coalesce(previous, repeat('0', 64));
  foreach entry in array texts loop
    line_sequence := line_sequence + 1;
    line_hash := encode(sha256(convert_to(previous || E'\\n' || line_sequence || E'\\n' || entry, 'UTF8')), 'hex');
    insert into weir_audit_log (sequence, text, hash) values (line_sequence, entry, line_hash);
    previous := line_hash;
    return next;
  end loop;
end
$$;

create function weir_audit_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log can only be added to' using errcode = 'insufficient_privilege';
end
$$;
create trigger weir_audit_append_only before update or delete or truncate on weir_audit_log
  for each statement execute function weir_audit_refuse();
`;

/** The states of the limits get another form; what they held is of this minute, and is learnt again from the next answers. */
const RUN_CALLS = `
delete from weir_rate_states;

create table weir_run_calls (
  provider text not null,
  run text not null,
  made int not null,
  called_at bigint not null,
  primary key (provider, run)
);
create index weir_run_calls_by_age on weir_run_calls (called_at);
`;

export const PROVIDER_STORE_MIGRATIONS = {
  set: 'provider-store',
  migrations: [
    { name: '0001-rate-states', sql: RATE_STATES },
    { name: '0002-etags', sql: ETAGS },
    { name: '0003-audit-log', sql: AUDIT_LOG },
    { name: '0004-run-calls', sql: RUN_CALLS },
  ],
} as const;
