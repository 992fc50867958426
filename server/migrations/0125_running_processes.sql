-- Group "conversation", key bucket: the processes that run, each under its own word. A reference table, as server_processes is,
-- cannot be written while a node of Citus is away; a row of one shard can, unless that is where it lies. The other stays for the
-- version before.
create table running_processes (
  -- Where the process could write last; no conversation's.
  bucket integer not null,
  process_id text collate "C" not null,
  host text not null,
  pid integer not null,
  version text not null,
  roles text not null,
  started_at bigint not null,
  -- A row that is not renewed is of a process that has ended.
  seen_at bigint not null,
  -- Its last requests that failed, at most 20: no message, no path, no person.
  errors jsonb not null,
  primary key (bucket, process_id)
);
