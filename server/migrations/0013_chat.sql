-- The data that people's clients keep beside the messages, and the files that people upload.

-- Group "account", key account_id. Both markers are msgIds, which are ordered by time, and never move back.
alter table account_conversations
  -- Up to here the person has read.
  add column read_msg_id text collate "C",
  -- Up to here the person wants to see nothing: "delete for me".
  add column hidden_msg_id text collate "C",
  add column is_muted boolean not null default false;

-- Up to which element somebody has seen the story of somebody else.
create table story_views (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  owner_id text collate "C" not null,
  element_id text collate "C" not null,
  primary key (account_id, owner_id)
);

-- A person's uploads on the day of the last one (days since 1970, UTC).
create table media_usage (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  day integer not null,
  bytes bigint not null
);

-- Group "conversation", key bucket: whom a person blocks, read over all shards for the person's own list.
create index contacts_blocked on contacts (account_id) where blocked_at is not null;

-- Group "media", key media_id: 160 random bits, so that nobody finds a file who was not given its link.
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
  used_at bigint
);
create index media_unused on media (created_at) where used_at is null;
