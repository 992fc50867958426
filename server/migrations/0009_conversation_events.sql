-- Group "conversation", key bucket: an event commits together with the message that causes it. It is written once; what is to be
-- sent stands in a queue, and each finished attempt in a log.

-- Events, in partitions by day, which are dropped whole. What no partition of a day takes is in the one that is left over.
create table events (
  bucket integer not null,
  delivery_id text collate "C" not null,
  app_id text collate "C" not null,
  type text not null,
  msg_id text collate "C" not null,
  -- The sealed bytes of the request, the same at every attempt.
  body bytea not null,
  body_key_id smallint not null,
  created_at bigint not null,
  -- Place in its application's feed, given after the commit, when somebody fetches.
  feed_position bigint,
  primary key (bucket, delivery_id)
) partition by range (delivery_id);
create table events_other partition of events default;
create index events_other_age on events_other (delivery_id);
-- Each event is in one of two indexes of its application, by whether it has a place in the feed: one less to write when it is
-- recorded.
create index events_unplaced on events (app_id, delivery_id) where feed_position is null;
create index events_placed on events (app_id, delivery_id) where feed_position is not null;
create index events_feed on events (app_id, feed_position) where feed_position is not null;

-- Finished attempts, in partitions by the day of their event, dropped with it. No word of the message or of the answer.
create table event_attempts (
  bucket integer not null,
  delivery_id text collate "C" not null,
  -- Counts on when the event is sent again.
  seq smallint not null,
  entry jsonb not null,
  -- When it was sent again, for attempts after that.
  replayed_at bigint,
  primary key (bucket, delivery_id, seq)
) partition by range (delivery_id);
create table event_attempts_other partition of event_attempts default;
create index event_attempts_other_age on event_attempts_other (delivery_id);

-- Events that are not delivered yet, were abandoned, or come again through the feed (unsent). A delivered one leaves it.
create table event_queue (
  bucket integer not null,
  delivery_id text collate "C" not null,
  app_id text collate "C" not null,
  -- Of the application: each worker sends for a range of them.
  app_bucket smallint not null,
  type text not null,
  state text not null check (state in ('unsent', 'pending', 'retrying', 'abandoned', 'cancelled')),
  -- Finished ones since it was last sent anew, and ever.
  attempts smallint not null,
  logged smallint not null,
  -- Null when there is nothing to do, or when the application takes no events for now (parked).
  next_attempt_at bigint,
  replayed_at bigint,
  alerted_at bigint,
  created_at bigint not null,
  primary key (bucket, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
-- Open ones by application, so that the backlog of one costs the others nothing.
create index event_queue_open on event_queue (app_bucket, app_id, next_attempt_at, delivery_id)
  where state in ('pending', 'retrying');
create index event_queue_failed on event_queue (app_id, created_at) where state in ('retrying', 'abandoned');
-- Given up, once more after a replay maybe, and nobody told yet.
create index event_queue_unalerted on event_queue (app_id)
  where state = 'abandoned' and (alerted_at is null or alerted_at < replayed_at);
create index event_queue_ended on event_queue (created_at) where state in ('unsent', 'abandoned', 'cancelled');

-- Empty: how version 0.1 kept its events.
create table deliveries (
  bucket integer not null,
  delivery_id text collate "C" not null,
  app_id text collate "C" not null,
  type text not null,
  msg_id text collate "C" not null,
  body bytea not null,
  body_key_id smallint not null,
  state text not null check (state in ('unsent', 'pending', 'retrying', 'delivered', 'abandoned', 'cancelled')),
  attempts smallint not null,
  next_attempt_at bigint,
  lease_owner text collate "C",
  created_at bigint not null,
  attempt_log jsonb not null default '[]',
  replayed_at bigint,
  feed_position bigint,
  alerted_at bigint,
  primary key (bucket, delivery_id)
);
create index deliveries_by_application on deliveries (app_id, delivery_id);
create index deliveries_unplaced on deliveries (app_id, delivery_id) where feed_position is null;
create index deliveries_feed on deliveries (app_id, feed_position) where feed_position is not null;
create index deliveries_ended on deliveries (created_at) where state not in ('pending', 'retrying');
create index deliveries_unalerted on deliveries (app_id)
  where state = 'abandoned' and (alerted_at is null or alerted_at < replayed_at);
create index deliveries_failed on deliveries (app_id, created_at) where state in ('retrying', 'abandoned');
create index deliveries_open on deliveries (app_id, next_attempt_at, delivery_id) where state in ('pending',
  'retrying');
