-- How a person keeps a conversation: for themselves alone.

-- Group "account", key account_id.
alter table account_conversations
  -- With is_muted: until when. Null where it does not end by itself.
  add column muted_until bigint,
  add column notify_of text not null default 'all',
  add column has_sound boolean not null default true,
  add column pinned_at bigint,
  -- It is put away until somebody writes after this message.
  add column archived_msg_id text collate "C",
  -- Counts up with each change of these: pages tell by it which of two states is the newer one.
  add column settings_version integer not null default 0;

-- Group "account", key account_id: messages that mention somebody who has not read them. Their bodies are sealed, so it is
-- noted where they are written.
create table mentions (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  primary key (account_id, conversation_id, msg_id)
);
