-- By some links people ask to join, and an administrator decides.
alter table group_links add column needs_approval boolean not null default false;

-- Those who have asked. The row is gone once it is decided.
create table join_requests (
  bucket integer not null,
  group_id text collate "C" not null,
  account_id text collate "C" not null,
  requested_at bigint not null,
  primary key (bucket, group_id, account_id),
  foreign key (bucket, group_id) references groups (bucket, group_id)
);
create index join_requests_by_account on join_requests (account_id);

-- How many they are, for the pages of administrators.
alter table groups add column join_request_count integer not null default 0;
