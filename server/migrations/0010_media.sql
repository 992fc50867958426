-- Group "media", key media_id: 160 random bits, so that nobody finds a file who was not given its link.

-- The files that people upload.
create table media (
  media_id text collate "C" primary key,
  owner_id text collate "C" not null,
  kind text not null check (kind in ('image', 'video', 'audio', 'document')),
  content_type text not null,
  -- Sealed: a name that a person gave.
  file_name bytea not null,
  file_name_key_id smallint not null,
  size integer not null,
  created_at bigint not null,
  -- When a message, story or picture first named it. What nothing names within a day is removed.
  used_at bigint,
  -- An upload whose message was deleted is served no more, and removed at the next sweep.
  released_at bigint,
  -- Whether media_uses has all of its uses; not so of uploads from before there was that table.
  is_counted boolean not null default false
);
create index media_unused on media (created_at) where used_at is null;

-- What names an upload, by the id of the message, group, story element or account, so that it goes with the last of them.
create table media_uses (
  media_id text collate "C" not null references media (media_id) on delete cascade,
  used_by text collate "C" not null,
  -- Whether the use is of a message that is deleted, and kept for a legal hold alone: the file stays, and is served to nobody.
  is_held boolean not null default false,
  primary key (media_id, used_by)
);
