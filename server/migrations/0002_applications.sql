-- Group "application", key app_id.

create table applications (
  app_id text collate "C" primary key,
  owner_id text collate "C" not null,
  name text not null,
  state text not null check (state in ('active', 'disabled', 'suspended', 'deleted')),
  state_before_suspension text check (state_before_suspension in ('active', 'disabled')),
  client_secret_hash bytea,
  webhook_url text,
  webhook_secret bytea,
  webhook_secret_key_id smallint,
  requests_per_minute integer not null,
  created_at bigint not null,
  deleted_at bigint
);

create table api_keys (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  key_hash bytea not null,
  scopes text[] not null,
  created_at bigint not null,
  revoked_at bigint,
  primary key (app_id, key_hash)
);

create table bots (
  app_id text collate "C" primary key references applications (app_id) on delete cascade,
  account_id text collate "C" not null,
  username text collate "C" not null,
  description text not null,
  commands jsonb not null,
  created_at bigint not null,
  deleted_at bigint
);

create table redirect_uris (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  uri text collate "C" not null,
  created_at bigint not null,
  primary key (app_id, uri)
);
