-- Group "application", key app_id.

-- What developers register. Secrets are hashed, or sealed where the server itself needs them.
create table applications (
  app_id text collate "C" primary key,
  owner_id text collate "C" not null,
  name text not null,
  state text not null check (state in ('active', 'disabled', 'suspended', 'deleted')),
  state_before_suspension text check (state_before_suspension in ('active', 'disabled')),
  client_secret_hash bytea,
  -- In plain text; unused since it is sealed.
  webhook_url text,
  webhook_secret bytea,
  webhook_secret_key_id smallint,
  requests_per_minute integer not null,
  created_at bigint not null,
  deleted_at bigint,
  -- Signs as well until previous_webhook_secret_until, if the owner asked for that.
  previous_webhook_secret bytea,
  previous_webhook_secret_key_id smallint,
  previous_webhook_secret_until bigint,
  -- Null: as old as the application.
  client_secret_created_at bigint,
  webhook_secret_created_at bigint,
  -- Nobody is alerted until then.
  alerts_muted_until bigint,
  -- Raised by every change of an application, of its keys and of its bot: whoever remembers them compares one number.
  version integer not null default 0,
  -- A webhook URL often bears a token in its path or query.
  sealed_webhook_url bytea,
  sealed_webhook_url_key_id smallint,
  -- The address of the document that describes a client which nobody registered here, and so nobody owns (docs/decisions/0083).
  client_url text
);
create index applications_clear_webhook_url on applications (app_id) where webhook_url is not null;
-- Operators find applications by how their names begin.
create index applications_name on applications (lower(name) text_pattern_ops) where state <> 'deleted';

-- The version of each application once more, which on Citus has a copy on every node: a send compares it without leaving its
-- shard. On one PostgreSQL sends go on asking `applications`.
create table application_versions (
  app_id text collate "C" primary key,
  version integer not null
);

-- An application may have several, distinguished by name (docs/decisions/0053).
create table api_keys (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  key_hash bytea not null,
  scopes text[] not null,
  created_at bigint not null,
  revoked_at bigint,
  last_used_at bigint,
  name text not null default 'default',
  primary key (app_id, key_hash)
);

-- The bot of an application: at most one, as the primary key says.
create table bots (
  app_id text collate "C" primary key references applications (app_id) on delete cascade,
  account_id text collate "C" not null,
  username text collate "C" not null,
  description text not null,
  commands jsonb not null,
  created_at bigint not null,
  deleted_at bigint
);

-- Where people are sent after a consent.
create table redirect_uris (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  uri text collate "C" not null,
  created_at bigint not null,
  primary key (app_id, uri)
);

-- Features beyond the contract: each is off until the owner of the application switches it on (docs/decisions/0080).
create table application_extensions (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  extension text not null check (extension in ('openid', 'incoming_webhooks', 'mcp')),
  switched_on_at bigint not null,
  primary key (app_id, extension)
);

-- Addresses that tools post to, each into one group as the application's bot (docs/decisions/0080). The secret names the
-- application, so that it leads to its shard.
create table incoming_webhooks (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  webhook_id text collate "C" not null,
  group_id text collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  created_by text collate "C" not null,
  created_at bigint not null,
  last_used_at bigint,
  primary key (app_id, webhook_id),
  unique (app_id, secret_hash)
);

-- Who works on an application beside its owner (docs/decisions/0053).
create table teammates (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  account_id text collate "C" not null,
  role text not null check (role in ('developer', 'viewer')),
  joined_at bigint not null,
  primary key (app_id, account_id)
);

-- Invitations to do so, by the hash of what their link carries.
create table team_invitations (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  token_hash bytea not null,
  role text not null check (role in ('developer', 'viewer')),
  created_at bigint not null,
  expires_at bigint not null,
  primary key (app_id, token_hash)
);

-- Who changed what.
create table audit_entries (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  entry_id text collate "C" not null,
  at bigint not null,
  action text not null,
  -- Null: the operator.
  actor_id text collate "C",
  channel text not null check (channel in ('console', 'chat', 'management-bot', 'command-line')),
  session_id text collate "C",
  details jsonb not null,
  primary key (app_id, entry_id)
);
-- Entries are removed by age where AUDIT_RETENTION_DAYS says so. Their ids are in the order of time.
create index audit_entries_age on audit_entries (entry_id);

-- Requests to the public API, written after the answer, several processes' at a time. No body and no token.
create table api_requests (
  app_id text collate "C" not null,
  request_id text collate "C" not null,
  at bigint not null,
  caller text not null check (caller in ('bot', 'user', 'client')),
  method text not null,
  route text not null,
  status smallint not null,
  duration_ms real not null,
  code text,
  message text,
  primary key (app_id, request_id)
);
create index api_requests_age on api_requests (at);

-- How often and how fast. Each process writes its own sums, so that writing them again changes nothing.
create table usage_counts (
  app_id text collate "C" not null,
  span text not null check (span in ('minute', 'hour')),
  started_at bigint not null,
  caller text not null check (caller in ('bot', 'user', 'client', 'webhook')),
  method text not null,
  route text not null,
  writer text collate "C" not null,
  requests integer not null,
  client_errors integer not null,
  server_errors integer not null,
  -- How many answers came within each of the times that the server knows.
  latencies integer[] not null,
  quota_limit integer,
  quota_remaining integer,
  quota_reset_at bigint,
  primary key (app_id, span, started_at, caller, method, route, writer)
);
create index usage_counts_age on usage_counts (span, started_at);
