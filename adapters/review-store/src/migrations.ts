/** The tables of accounts, artifacts, posting claims and review views, as data for the migrator. A file that has been released is never changed. */

/**
 * The one row is locked by every write, so that a deletion and a use never pass each other. Paths are compared in lower case: every
 * forge takes `Owner/Name` and `owner/name` for one repository. `json` keeps what `jsonb` refuses.
 */
const REGISTRY = `
create table weir_registry_lock (only_row boolean primary key default true check (only_row));
insert into weir_registry_lock default values;

create table weir_forge_accounts (
  id text collate "C" primary key,
  forge text not null,
  origin text not null,
  account json not null,
  sealed text not null
);

create table weir_hooks (
  id text collate "C" primary key,
  account text collate "C" not null references weir_forge_accounts (id) on delete cascade,
  forge text not null,
  origin text not null
);
create index weir_hooks_by_account on weir_hooks (account);

create table weir_hook_secrets (
  hook text collate "C" not null references weir_hooks (id) on delete cascade,
  place int not null,
  sealed text not null,
  primary key (hook, place)
);

create table weir_repositories (
  id text collate "C" primary key,
  account text collate "C" not null references weir_forge_accounts (id),
  factory_account text collate "C" references weir_forge_accounts (id),
  hook text collate "C" not null references weir_hooks (id),
  forge text not null,
  origin text not null,
  repository_id text,
  path_key text not null,
  repository json not null,
  last_delivery_at bigint
);
create unique index weir_repositories_by_id on weir_repositories (forge, origin, repository_id) where repository_id is not null;
create unique index weir_repositories_by_path on weir_repositories (forge, origin, path_key) where repository_id is null;
create index weir_repositories_by_any_path on weir_repositories (forge, origin, path_key);

create table weir_unregistered (
  registration text collate "C" not null references weir_hooks (id) on delete cascade,
  repository_key text not null,
  repository_id text,
  path_key text not null,
  path json not null,
  count bigint not null,
  last_at bigint not null,
  primary key (registration, repository_key)
);
create index weir_unregistered_by_time on weir_unregistered (last_at desc);
`;

const ARTIFACTS = `
create table weir_artifacts (
  id text collate "C" primary key,
  review_id text not null,
  kind text not null,
  sealed text not null,
  expires_at bigint
);
create index weir_artifacts_by_review on weir_artifacts (review_id);
create index weir_artifacts_by_end on weir_artifacts (expires_at) where expires_at is not null;
`;

const CLAIMS = `
create table weir_posting_claims (
  key text collate "C" primary key,
  review_id text not null,
  fence bigint not null,
  claimed_at bigint not null,
  settled_at bigint,
  result json
);
`;

/** Each index answers one way to ask, newest first, so that a page costs the same however many rows there are. */
const VIEWS = `
create table weir_reviews (
  review_id text collate "C" primary key,
  forge text,
  origin text,
  repository text collate "C",
  change_number bigint,
  status text collate "C",
  archived boolean not null,
  updated_at bigint not null,
  list_row json not null,
  page json not null
);
create index weir_reviews_by_time on weir_reviews (archived, updated_at desc, review_id desc);
create index weir_reviews_by_status on weir_reviews (status, archived, updated_at desc, review_id desc);
create index weir_reviews_by_repository on weir_reviews (repository, archived, updated_at desc, review_id desc);
create index weir_reviews_by_change on weir_reviews (change_number, repository);
`;

/** Repositories that were registered before there were lists have empty ones. As text, since `jsonb` refuses what `json` keeps. */
const ACTOR_LISTS = `
update weir_repositories
  set repository = (regexp_replace(repository::text, '\\s*\\}\\s*$', '') || ',"deniedActors":[],"grantedActors":[]}')::json;
`;

/**
 * For the totals and for the search of the list. A row that was there keeps the count of its blockers, and is found by its repository and
 * number until its next event: taking a field out of `json` fails where any text in it holds a NUL, so the count is read from its text, in which a quote inside a title is escaped.
 */
const REVIEW_WORDS = `
alter table weir_reviews add column status_since bigint not null default 0;
alter table weir_reviews add column open_blockers int not null default 0;
alter table weir_reviews add column words text not null default '';
update weir_reviews set
  status_since = updated_at,
  open_blockers = coalesce(substring(list_row::text from '"open":\\{"blocker":([0-9]{1,9})')::int, 0),
  words = lower(coalesce(repository || '#' || change_number, ''));
`;

export const REVIEW_STORE_MIGRATIONS = {
  set: 'review-store',
  migrations: [
    { name: '0001-registry', sql: REGISTRY },
    { name: '0002-artifacts', sql: ARTIFACTS },
    { name: '0003-posting-claims', sql: CLAIMS },
    { name: '0004-review-views', sql: VIEWS },
    { name: '0005-actor-lists', sql: ACTOR_LISTS },
    { name: '0006-review-words', sql: REVIEW_WORDS },
  ],
} as const;
