-- Group "conversation", key bucket: an event commits together with the message that causes it.

create table deliveries (
  bucket integer not null,
  delivery_id text collate "C" not null,
  app_id text collate "C" not null,
  type text not null,
  msg_id text collate "C" not null,
  -- The sealed bytes of the request, the same at every attempt.
  body bytea not null,
  body_key_id smallint not null,
  state text not null check (state in ('pending', 'retrying', 'delivered', 'abandoned', 'cancelled')),
  -- Finished ones; an attempt that a crash cut short is made again.
  attempts smallint not null,
  -- Null when there is nothing to do, or when the application takes no events for now (parked).
  next_attempt_at bigint,
  -- Whose attempt is in progress; next_attempt_at is then the time at which it counts as lost.
  lease_owner text collate "C",
  created_at bigint not null,
  primary key (bucket, delivery_id)
);
-- Open ones by application, so that the backlog of one costs the others nothing.
create index deliveries_open on deliveries (app_id, next_attempt_at) where state in ('pending', 'retrying');
