-- Group "family", key family_id. A family is one consent with its one code and all tokens that came of it.

-- The row holds the one pair of tokens that is valid; a rotation is one guarded update of it. Old refresh tokens need no
-- rows: all of a family carry its lineage, so that one presented again is told from a made-up one.
create table grants (
  family_id text collate "C" primary key,
  app_id text collate "C" not null,
  account_id text collate "C" not null,
  scopes text[] not null,
  code_hash bytea not null,
  -- Cleared with the exchange: what a rotation rewrites stays small.
  code_redirect_uri text collate "C",
  code_challenge text collate "C",
  code_consumed_at bigint,
  access_hash bytea,
  access_scopes text[],
  access_expires_at bigint,
  refresh_hash bytea,
  lineage_hash bytea,
  refreshed_at bigint,
  -- Of the code, and after the exchange of the refresh token.
  expires_at bigint not null,
  -- The day of expires_at, for the worker: it is the same all day, so that rotations leave the index alone.
  expires_on integer not null,
  created_at bigint not null,
  ended_at bigint,
  end_reason text check (end_reason in ('revoked-by-person', 'revoked-by-client', 'refresh-token-reused', 'code-reused',
    'code-expired', 'refresh-token-expired', 'application-deleted'))
) with (fillfactor = 70);
create index grants_expiry on grants (expires_on) where ended_at is null;
create index grants_ended on grants (ended_at) where ended_at is not null;

-- Consents that were decided, so that each is decided once. The undecided ones are with the person's browser, sealed.
create table decided_consents (
  family_id text collate "C" primary key,
  decided_at bigint not null
);
create index decided_consents_age on decided_consents (decided_at);

-- Group "application", key app_id.
create table application_grants (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  family_id text collate "C" not null,
  primary key (app_id, family_id)
);

-- Group "account", key account_id.
create table connected_applications (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  app_id text collate "C" not null,
  first_granted_at bigint not null,
  last_called_at bigint,
  primary key (account_id, app_id)
);

create table account_grants (
  account_id text collate "C" not null,
  app_id text collate "C" not null,
  family_id text collate "C" not null,
  primary key (account_id, app_id, family_id),
  foreign key (account_id, app_id) references connected_applications (account_id, app_id) on delete cascade
);

-- Calls of applications for a person, kept for 30 days.
create table application_calls (
  account_id text collate "C" not null,
  request_id text collate "C" not null,
  app_id text collate "C" not null,
  method text not null,
  path text not null,
  status smallint not null,
  called_at bigint not null,
  primary key (account_id, request_id)
);
create index application_calls_age on application_calls (called_at);
