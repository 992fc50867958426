-- The tables behind an application's pages in the developers' console.

-- Group "application", key app_id.

alter table api_keys add column last_used_at bigint;
alter table applications
  -- Null: they are as old as the application.
  add column client_secret_created_at bigint,
  add column webhook_secret_created_at bigint,
  -- Nobody is alerted until then.
  add column alerts_muted_until bigint;
alter table alert_contacts add column muted_until bigint;

-- Requests to the public API, written after the answer, several processes' at a time. No body and no token.
create table api_requests (
  app_id text collate "C" not null,
  request_id text collate "C" not null,
  at bigint not null,
  caller text not null check (caller in ('bot', 'user')),
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
  caller text not null check (caller in ('bot', 'user', 'webhook')),
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

-- Who changed what; it stays as long as the application's row.
create table audit_entries (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  entry_id text collate "C" not null,
  at bigint not null,
  action text not null,
  -- Null: the operator.
  actor_id text collate "C",
  channel text not null check (channel in ('console', 'management-bot', 'command-line')),
  session_id text collate "C",
  details jsonb not null,
  primary key (app_id, entry_id)
);

-- Group "account", key account_id: the person that an owner plays, an account that nobody signs in to.
create table test_people (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  test_person_id text collate "C" not null,
  created_at bigint not null
);
