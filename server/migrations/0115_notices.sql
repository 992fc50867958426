-- Small, and read by every process: on Citus they are on the coordinator. No text of a person is in them.

-- The operators' announcements: as a line on all pages, as a message of the built-in bot, or both.
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

-- One row while there is maintenance: nothing is written so long.
create table maintenance (
  id smallint primary key check (id = 1),
  started_at bigint not null,
  -- When operators expect its end; it lasts until they end it.
  until bigint not null,
  text jsonb
);
