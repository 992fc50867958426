-- Group "account", key account_id: what somebody has begun to write in a conversation, sealed. It goes when they leave it.
create table drafts (
  account_id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- Counts up with the time of each change, also across deletions: pages tell by it which of two states is the newer one.
  version bigint not null,
  body bytea not null,
  body_key_id smallint not null,
  primary key (account_id, conversation_id),
  foreign key (account_id, conversation_id)
    references account_conversations (account_id, conversation_id) on delete cascade
);
