-- The server's own tables, small and read by every process. On Citus each is a reference table, or stays on the coordinator where
-- it is also written while a worker is away.
--
-- In all of these files times are epoch milliseconds, and what is sealed stands beside the id of the key that sealed it.

-- Proof, per key id, that the key in the keyring is the one that sealed the rows.
create table encryption_keys (
  key_id smallint primary key,
  proof bytea not null,
  created_at bigint not null
);

-- Keys of the server itself, such as the one by which push services know it (RFC 8292).
create table service_keys (
  name text collate "C" primary key,
  public_key text not null,
  secret bytea not null,
  secret_key_id smallint not null,
  created_at bigint not null
);

-- The time of the last good backup, noted by the command that wrote it, so that the server can tell how old it is.
create table last_backup (
  is_the_one boolean primary key default true check (is_the_one),
  taken_at bigint not null
);

-- Unused: dropped at once.
create table server_processes (
  process_id text collate "C" primary key,
  host text not null,
  pid integer not null,
  version text not null,
  roles text not null,
  started_at bigint not null,
  seen_at bigint not null,
  errors jsonb not null
);

-- The operators' announcements: as a line on all pages, as a message of the built-in bot, or both. No text of a person is in
-- them.
create table announcements (
  announcement_id text collate "C" primary key,
  -- By language; at least one.
  text jsonb not null,
  is_line boolean not null,
  is_message boolean not null,
  created_at bigint not null,
  -- When the line goes by itself; null until an operator ends it.
  ends_at bigint,
  -- When an operator ended it.
  ended_at bigint,
  -- To how many people the message goes, to how many it went, and to whom last: they are told in the order of their ids.
  people integer not null,
  told integer not null default 0,
  told_up_to text collate "C" not null default '',
  told_at bigint
);

-- One row while there is maintenance; nothing else is written until it ends.
create table maintenance (
  id smallint primary key check (id = 1),
  started_at bigint not null,
  -- When operators expect its end; it lasts until they end it.
  until bigint not null,
  text jsonb
);

-- What the command line changed, so that open pages load it again: ids of people, groups and applications. Rows go after an hour.
create table noted_topics (
  note_id text collate "C" primary key,
  noted_at bigint not null,
  topics text[] not null
);
