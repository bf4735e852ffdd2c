/** The tables of the queue, the leased work and the dead letters, as data for the migrator. A file that has been released is never changed. */

/**
 * A lane is one key of one group: whoever leases it works on the oldest message of the key, so the order needs no other care. The
 * counter says whether a lane is empty without looking at the messages. `ready_at` is the end of the lease while a lane is leased, the end of
 * the pause after a failure, and else the moment since which it waits for its turn. Fence 0 is nobody's.
 */
const QUEUE = `
create sequence weir_fences;

create table weir_bus_lanes (
  group_name text not null,
  key text not null,
  waiting int not null,
  ready_at bigint not null,
  fence bigint not null default 0,
  primary key (group_name, key)
) with (fillfactor = 70);
create index weir_bus_lanes_ready on weir_bus_lanes (group_name, ready_at) where waiting > 0;

create table weir_bus_messages (
  position bigint primary key generated always as identity,
  group_name text not null,
  key text not null,
  message_id text not null,
  topic text not null,
  envelope json not null,
  claims int not null default 0,
  failures int not null default 0,
  unique (group_name, message_id)
);
create index weir_bus_messages_by_lane on weir_bus_messages (group_name, key, position);

create function weir_bus_add(moment bigint, groups text[], keys text[], ids text[], topics text[], envelopes text[]) returns void language sql as $$
  with added as (
    insert into weir_bus_messages (group_name, key, message_id, topic, envelope)
    select new.group_name, new.key, new.message_id, new.topic, new.envelope::json
    from unnest(groups, keys, ids, topics, envelopes) with ordinality as new (group_name, key, message_id, topic, envelope, place)
    order by new.place
    on conflict (group_name, message_id) do nothing
    returning group_name, key
  )
  insert into weir_bus_lanes as lane (group_name, key, waiting, ready_at)
  select group_name, key, count(*), moment from added group by group_name, key order by group_name, key
  on conflict (group_name, key) do update set waiting = lane.waiting + excluded.waiting
$$;
`;

const WORK = `
create table weir_work (
  id text primary key,
  kind text not null,
  key text not null,
  envelope json not null,
  claims int not null default 0,
  failures int not null default 0,
  ready_at bigint not null,
  fence bigint not null default 0,
  leased boolean not null default false,
  cancelled boolean not null default false
);
create index weir_work_ready on weir_work (kind, ready_at);
create index weir_work_by_key on weir_work (key);
`;

const DEAD_LETTERS = `
create table weir_dead_letters (
  id bigint primary key generated always as identity,
  origin text not null,
  group_name text not null,
  topic text not null,
  key text not null,
  message_id text not null,
  envelope json not null,
  attempts int not null,
  failure text not null,
  died_at bigint not null
);
`;

/**
 * Lanes of a broker's messages: they begin with a message that has failed once, and grow only while something waits in them. The lock makes
 * the question and the answer one with the end of the message before.
 */
const RETRIES = `
create function weir_bus_follow(moment bigint, group_of text, key_of text, id text, topic text, envelope text) returns boolean language sql as $$
  select weir_bus_add(moment, array[group_of], array[key_of], array[id], array[topic], array[envelope])
  from (select from weir_bus_lanes where group_name = group_of and key = key_of and waiting > 0 for update) as lane;
  select exists (select from weir_bus_lanes where group_name = group_of and key = key_of and waiting > 0)
$$;

create function weir_bus_retry(due bigint, group_of text, key_of text, id text, topic text, envelope text) returns void language sql as $$
  with added as (
    insert into weir_bus_messages (group_name, key, message_id, topic, envelope, claims, failures)
    values (group_of, key_of, id, topic, envelope::json, 1, 1)
    on conflict (group_name, message_id) do nothing
    returning group_name, key
  )
  insert into weir_bus_lanes as lane (group_name, key, waiting, ready_at)
  select group_name, key, 1, due from added
  on conflict (group_name, key) do update set waiting = lane.waiting + 1, ready_at = greatest(lane.ready_at, excluded.ready_at)
$$;
`;

/** Messages of a broker that were begun and have not ended, of those alone that another process may have begun before. */
const BEGUN = `
create table weir_bus_begun (
  group_name text not null,
  message_id text not null,
  claims int not null default 1,
  primary key (group_name, message_id)
);
`;

export const BUS_MIGRATIONS = {
  set: 'bus',
  migrations: [
    { name: '0001-queue', sql: QUEUE },
    { name: '0002-work', sql: WORK },
    { name: '0003-dead-letters', sql: DEAD_LETTERS },
    { name: '0004-retries', sql: RETRIES },
    { name: '0005-begun', sql: BEGUN },
  ],
} as const;
