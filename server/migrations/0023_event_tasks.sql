-- Group "application", key app_id.

-- Work on many events of one application, which a worker does in slices: a request that did it all would hold locks for as
-- long as there are events.
create table event_tasks (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  -- follow-state: what is open becomes due, waits, or is cancelled, as the application now is. replay: what failed is sent again.
  kind text not null check (kind in ('follow-state', 'replay')),
  requested_at bigint not null,
  -- Of a replay: events that happened then or later, and were not sent again since.
  since bigint,
  primary key (app_id, kind)
);
