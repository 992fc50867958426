-- Group "application", key app_id.

-- Endpoints that do not answer. While its row is here, an application's due attempts count as failed without a connection,
-- except for those of one worker, which sends one event at a time to see whether the endpoint answers again.
create table open_breakers (
  app_id text collate "C" primary key references applications (app_id) on delete cascade,
  opened_at bigint not null,
  -- The worker that probes, until this time unless it says so again.
  owner text collate "C" not null,
  owned_until bigint not null
);
