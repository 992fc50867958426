-- Deliveries stay once they are settled: they are the event log, and what a replay sends again.

alter table deliveries
  -- The result of each finished attempt, the latest last; no word of the message or of the answer.
  add column attempt_log jsonb not null default '[]',
  add column replayed_at bigint;
-- The latest of an application, in the order of their recording.
create index deliveries_by_application on deliveries (app_id, delivery_id);
create index deliveries_abandoned on deliveries (app_id, created_at) where state = 'abandoned';

-- Signs along until previous_webhook_secret_until, when the owner asked for that.
alter table applications
  add column previous_webhook_secret bytea,
  add column previous_webhook_secret_key_id smallint,
  add column previous_webhook_secret_until bigint;
