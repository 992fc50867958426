-- The beginning of what the receiver answered to a failed attempt, sealed; null for the others, which costs nothing.
alter table event_attempts add column answer bytea, add column answer_key_id smallint;
