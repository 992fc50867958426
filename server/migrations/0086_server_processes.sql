-- Small and read by all: a reference table on Citus.

-- The processes that run, each by its own word; a row that is not renewed is of one that has ended.
create table server_processes (
  process_id text collate "C" primary key,
  host text not null,
  pid integer not null,
  version text not null,
  roles text not null,
  started_at bigint not null,
  seen_at bigint not null,
  -- Its last requests that failed, at most 20: no message, no path, no person.
  errors jsonb not null
);
