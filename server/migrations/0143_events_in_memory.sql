-- The worker that has the event in memory, and does not queue it; null for events that are queued, or not sent.
alter table events add column worker_id integer;
-- After a crash, events are searched by their time. IDs are appended in their order, so these indexes cost next to nothing.
create index events_age on events using brin (delivery_id);
create index event_attempts_age on event_attempts using brin (delivery_id);

-- Workers that have events in memory, and those whose crash left some.
create table delivery_workers (
  worker_id integer primary key,
  seen_at bigint not null,
  -- When the oldest event was recorded that it had in memory at that time.
  held_since bigint not null
);
