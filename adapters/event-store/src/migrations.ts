/** The tables of the event log and the outbox, as data for the migrator. A file that has been released is never changed. */

/**
 * The global order is (tx, position): positions alone are given out before the commit, so a reader that remembers only a position
 * misses what commits late. The writers of one stream wait for each other; what the function reads after the wait is what the one
 * before has committed, so an append is there wholly or not at all, also as a statement of its own. `json` keeps the text as it came, also what `jsonb` refuses (a NUL character in a title).
 */
const EVENTS = `
create table weir_events (
  stream text not null,
  version int not null,
  tx xid8 not null default pg_current_xact_id(),
  position bigint not null generated always as identity,
  envelope json not null,
  primary key (stream, version)
);
create unique index weir_events_by_order on weir_events (tx, position);

create function weir_events_hold(held text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(held, 2003133042))
$$;

create function weir_events_append(appended text, expected int, envelopes text[]) returns boolean language plpgsql as $$
begin
  perform weir_events_hold(appended);
  if coalesce((select max(version) from weir_events where stream = appended), 0) <> expected then
    return false;
  end if;
  insert into weir_events (stream, version, envelope)
  select appended, expected + place, envelope::json from unnest(envelopes) with ordinality as new (envelope, place) order by place;
  return true;
end
$$;

create table weir_readers (
  reader text primary key,
  tx xid8 not null default '0',
  position bigint not null default 0
);
`;

/** What is due at once has the moment 0, so that its order is the order in which it was put, whatever the clocks say. */
const OUTBOX = `
create table weir_outbox (
  position bigint primary key generated always as identity,
  due_at bigint not null,
  topic text not null,
  key text not null,
  envelope json not null
);
create index weir_outbox_by_time on weir_outbox (due_at, position);

create table weir_handled (
  group_name text not null,
  message_id text not null,
  handled_at bigint not null,
  primary key (group_name, message_id)
);
create index weir_handled_by_age on weir_handled using brin (handled_at);
`;

export const EVENT_STORE_MIGRATIONS = {
  set: 'event-store',
  migrations: [
    { name: '0001-events', sql: EVENTS },
    { name: '0002-outbox', sql: OUTBOX },
  ],
} as const;
