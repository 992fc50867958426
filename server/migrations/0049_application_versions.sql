-- The version of each application once more, which on Citus has a copy on every node: a send compares it without leaving its
-- shard. On one PostgreSQL sends go on asking `applications`.
create table application_versions (
  app_id text collate "C" primary key,
  version integer not null
);
insert into application_versions (app_id, version) select app_id, version from applications;
