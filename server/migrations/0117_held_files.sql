-- Group "media", key media_id. Whether a use is of a message that is deleted, and kept for a legal hold alone: the file stays, and is
-- served to nobody.
alter table media_uses add column is_held boolean not null default false;

-- Group "application", key app_id: entries are removed by age where AUDIT_RETENTION_DAYS says so. Their ids are in the order of time.
create index audit_entries_age on audit_entries (entry_id);
