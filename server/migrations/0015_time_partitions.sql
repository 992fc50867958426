-- Calls of applications for people, in partitions by day, which are dropped whole when they are past their time. Request
-- ids are ordered by time, so that the primary key stays and a partition is a range of them. What no partition of a day
-- takes, such as the rows of before, is in the one that is left over.
alter table application_calls rename to application_calls_other;
alter index application_calls_pkey rename to application_calls_other_pkey;
drop index application_calls_age;
create table application_calls (
  account_id text collate "C" not null,
  request_id text collate "C" not null,
  app_id text collate "C" not null,
  method text not null,
  path text not null,
  status smallint not null,
  called_at bigint not null,
  primary key (account_id, request_id)
) partition by range (request_id);
alter table application_calls attach partition application_calls_other default;

-- For `updateRecovered`, which asks for both states: the index on one of them alone could not serve it.
drop index deliveries_abandoned;
create index deliveries_failed on deliveries (app_id, created_at) where state in ('retrying', 'abandoned');
