-- Features beyond the contract: each is off until the application's owner switches it on (docs/decisions/0080).

-- Group "application", key app_id.
create table application_extensions (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  extension text not null check (extension in ('openid', 'incoming_webhooks', 'mcp')),
  switched_on_at bigint not null,
  primary key (app_id, extension)
);
