-- OpenID Connect (docs/decisions/0078), an extension that the owner of an application switches on.

-- Group "application", key app_id.

create table openid_clients (
  app_id text collate "C" primary key references applications (app_id) on delete cascade,
  -- Where logout tokens are posted.
  logout_url text,
  -- The last of them that was abandoned; null once another has arrived.
  logout_failed_at bigint,
  logout_fault jsonb
);

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

-- Group "family", key family_id: what the ID tokens of a grant say.
create table openid_grants (
  family_id text collate "C" primary key references grants (family_id) on delete cascade,
  sign_in_id text collate "C" not null,
  nonce text,
  authenticated_at bigint not null,
  methods text[] not null
);

-- Group "account", key account_id.

-- How the person proved who it is (RFC 8176); null in sessions that are older.
alter table sessions add column methods text[];
-- The same while a browser's sessions follow each other; null in sessions that are older: each stands for itself.
alter table sessions add column sign_in_id text collate "C";
