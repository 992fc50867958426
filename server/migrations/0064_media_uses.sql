-- Group "media", key media_id: what names an upload, by the id of the message, group, story element or account, so that it
-- goes with the last of them.
create table media_uses (
  media_id text collate "C" not null references media (media_id) on delete cascade,
  used_by text collate "C" not null,
  primary key (media_id, used_by)
);

-- Whether all of its uses stand there; not those of uploads from before.
alter table media add column is_counted boolean not null default false;
