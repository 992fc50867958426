-- Group "family", key family_id: a family is one consent with its one code and all tokens that came of it.

-- The row holds the one pair of tokens that is valid; a rotation is one guarded update of it. Old refresh tokens need no rows:
-- all of a family carry its lineage, so that one presented again is told from a made-up one.
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
  end_reason text check (end_reason in ('revoked-by-person', 'revoked-by-client', 'refresh-token-reused',
    'code-reused', 'code-expired', 'refresh-token-expired', 'application-deleted', 'account-deleted')),
  -- Tokens are refused until then, because the person is suspended.
  held_until bigint
) with (fillfactor = 70);
create index grants_expiry on grants (expires_on) where ended_at is null;
create index grants_ended on grants (ended_at) where ended_at is not null;

-- Consents that were decided, so that each is decided once. The undecided ones are with the person's browser, sealed.
create table decided_consents (
  family_id text collate "C" primary key,
  decided_at bigint not null
);
create index decided_consents_age on decided_consents (decided_at);

-- What the ID tokens of a grant say (OpenID Connect, docs/decisions/0078).
create table openid_grants (
  family_id text collate "C" primary key references grants (family_id) on delete cascade,
  sign_in_id text collate "C" not null,
  nonce text,
  authenticated_at bigint not null,
  methods text[] not null
);

-- Group "application", key app_id.

-- The families of an application.
create table application_grants (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  family_id text collate "C" not null,
  primary key (app_id, family_id)
);

-- Applications that switched OpenID Connect on.
create table openid_clients (
  app_id text collate "C" primary key references applications (app_id) on delete cascade,
  -- Where logout tokens are posted.
  logout_url text,
  -- The last of them that was abandoned; null once another has arrived.
  logout_failed_at bigint,
  logout_fault jsonb
);

-- Where people are sent after a logout.
create table logout_redirect_uris (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  uri text collate "C" not null,
  created_at bigint not null,
  primary key (app_id, uri)
);

-- Logout tokens that are to be posted; a row goes when its token has arrived or is abandoned.
create table logout_notices (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  account_id text collate "C" not null,
  sign_in_id text collate "C" not null,
  attempts smallint not null,
  next_attempt_at bigint not null,
  lease_owner text,
  primary key (app_id, account_id, sign_in_id)
);
create index logout_notices_due on logout_notices (next_attempt_at);

-- Group "account", key account_id.

-- The applications that a person has let in.
create table connected_applications (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  app_id text collate "C" not null,
  first_granted_at bigint not null,
  last_called_at bigint,
  primary key (account_id, app_id)
);

-- The families of a person.
create table account_grants (
  account_id text collate "C" not null,
  app_id text collate "C" not null,
  family_id text collate "C" not null,
  primary key (account_id, app_id, family_id),
  foreign key (account_id, app_id) references connected_applications (account_id, app_id) on delete cascade
);

-- Calls of applications for a person, in partitions by day, which are dropped whole when they are past their time. Request ids
-- are ordered by time, so that a partition is a range of them. What no partition of a day takes is in the one that is left over.
create table application_calls (
  account_id text collate "C" not null,
  request_id text collate "C" not null,
  app_id text collate "C" not null,
  method text not null,
  path text not null,
  status smallint not null,
  called_at bigint not null,
  primary key (account_id, request_id)
) partition by range (request_id);
create table application_calls_other partition of application_calls default;
