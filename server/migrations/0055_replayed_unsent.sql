-- How far a replay has looked for events that were never sent.
alter table event_tasks add column after_id text collate "C";
