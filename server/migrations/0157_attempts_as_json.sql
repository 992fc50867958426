-- A finished attempt. Nothing searches within it, and PostgreSQL writes a json at less cost than a jsonb; those from before are in `entry`.
alter table event_attempts add column attempt json, alter column entry drop not null;
