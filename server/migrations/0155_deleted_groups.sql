-- Deleted groups that still have what was written in them. A row without a name is only the id, which is never used again.
create index groups_deleted on groups (deleted_at) where deleted_at is not null and name <> '';
