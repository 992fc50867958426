-- Addresses that tools post to, each into one group as one application's bot (docs/decisions/0080).

-- Group "application", key app_id: the secret names the application, so that it leads to its shard.
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
