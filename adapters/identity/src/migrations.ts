/** The tables of identity, as data for the migrator. Secrets stand in them as their hash alone. A file that has been released is never changed. */

const IDENTITY = `
create table weir_sessions (
  hash text collate "C" primary key,
  subject text not null,
  name text not null,
  role text not null check (role in ('viewer', 'admin')),
  created_at bigint not null,
  seen_at bigint not null
);
create index weir_sessions_by_age on weir_sessions (created_at);

create table weir_sign_in_links (
  hash text collate "C" primary key,
  expires_at bigint not null
);

create table weir_api_tokens (
  id text collate "C" primary key,
  hash text not null unique,
  label text not null,
  role text not null check (role in ('viewer', 'admin')),
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint
);

create table weir_api_answers (
  subject text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  claimed_at bigint not null,
  status int,
  body text,
  primary key (subject, key),
  check ((status is null) = (body is null))
);
create index weir_api_answers_by_age on weir_api_answers (claimed_at);
`;

export const IDENTITY_MIGRATIONS = { set: 'identity', migrations: [{ name: '0001-identity', sql: IDENTITY }] } as const;
