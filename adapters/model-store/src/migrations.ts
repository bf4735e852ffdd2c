/** The tables of the model stores, as data for the migrator. A file that has been released is never changed. */

/** The one row of the revision is locked by every write, so that a deletion and a use never pass each other. */
const MODEL_CONFIG = `
create table weir_model_revision (
  only_row boolean primary key default true check (only_row),
  revision bigint not null
);
insert into weir_model_revision (revision) values (0);

create table weir_model_providers (
  name text collate "C" primary key,
  provider jsonb not null
);

create table weir_models (
  model_provider text collate "C" not null references weir_model_providers (name),
  name text collate "C" not null,
  model jsonb not null,
  primary key (model_provider, name)
);

create table weir_model_uses (
  holder text collate "C" primary key,
  model_provider text collate "C" not null,
  model text collate "C" not null,
  foreign key (model_provider, model) references weir_models (model_provider, name)
);
create index weir_model_uses_by_model on weir_model_uses (model_provider, model);
`;

const CREDENTIALS = `
create table weir_model_credentials (
  ref text collate "C" primary key,
  position bigint generated always as identity,
  model_provider text collate "C" not null references weir_model_providers (name),
  label text not null,
  sealed text not null,
  version int not null default 1,
  disabled boolean not null default false,
  rejected boolean not null default false,
  limited_until bigint,
  exhausted_at bigint
);
create index weir_model_credentials_by_provider on weir_model_credentials (model_provider);
`;

const VIRTUAL_KEYS = `
create table weir_virtual_keys (
  id text collate "C" primary key,
  hash text not null unique,
  label text not null,
  holder_kind text not null check (holder_kind in ('person', 'run', 'service')),
  holder_id text not null,
  budget_millicents bigint check (budget_millicents >= 0),
  budget_calls bigint check (budget_calls >= 0),
  allowed_routes jsonb,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  spent_millicents bigint not null default 0 check (spent_millicents >= 0),
  reserved_millicents bigint not null default 0 check (reserved_millicents >= 0),
  calls bigint not null default 0,
  unpriced_calls bigint not null default 0
) with (fillfactor = 70);
create index weir_virtual_keys_by_age on weir_virtual_keys (created_at desc, id desc);

create table weir_key_reservations (
  call_ref text collate "C" primary key,
  key_id text collate "C" not null references weir_virtual_keys (id),
  millicents bigint not null check (millicents >= 0),
  at bigint not null
);
`;

/** A line that no price list makes cannot be stored, and what a line says cannot be changed (REV-29). */
const LEDGER = `
create table weir_charges (
  call_ref text not null,
  token_type text not null check (token_type in ('input', 'cached_input', 'cache_write', 'output', 'reasoning', 'total')),
  tokens bigint check (tokens between 0 and 1000000000),
  rate bigint check (rate between 0 and 1000000000),
  cost bigint,
  pricing_mode text not null,
  at bigint not null,
  capability text not null,
  model_provider text not null,
  model text not null,
  credential_ref text,
  forge text,
  virtual_key text,
  person text,
  run text,
  review text,
  repository text,
  primary key (call_ref, token_type),
  constraint weir_charges_priced check (case pricing_mode
    when 'metered' then token_type <> 'total' and tokens is not null and rate is not null and cost is not null
      and cost = round(tokens::numeric * rate / 1000000)
    when 'unmetered' then rate is null and cost is not null and cost = 0
    when 'unknown' then rate is null and cost is null
    else false end)
);
create index weir_charges_by_time on weir_charges (at);
create index weir_charges_by_run on weir_charges (run) where run is not null;
create index weir_charges_by_review on weir_charges (review) where review is not null;

create function weir_charges_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger can only be added to' using errcode = 'insufficient_privilege';
end
$$;
create trigger weir_charges_append_only
  before update of call_ref, token_type, tokens, rate, cost, pricing_mode, at or delete or truncate on weir_charges
  for each statement execute function weir_charges_refuse();

create table weir_open_calls (
  call_ref text collate "C" primary key,
  at bigint not null,
  call jsonb not null
);
create index weir_open_calls_by_time on weir_open_calls (at);
`;

export const MODEL_STORE_MIGRATIONS = {
  set: 'model-store',
  migrations: [
    { name: '0001-model-config', sql: MODEL_CONFIG },
    { name: '0002-credentials', sql: CREDENTIALS },
    { name: '0003-virtual-keys', sql: VIRTUAL_KEYS },
    { name: '0004-ledger', sql: LEDGER },
  ],
} as const;
