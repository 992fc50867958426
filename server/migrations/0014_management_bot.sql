-- Group "account", key account_id: bots of the server itself, which belong to no application.
create table built_in_bots (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  description text not null,
  commands jsonb not null
);

-- Group "conversation", key bucket.

-- Messages to a built-in bot that it has not answered yet. The row goes in the transaction that answers.
create table bot_inbox (
  bucket integer not null,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  bot_id text collate "C" not null,
  person_id text collate "C" not null,
  -- When the person last signed in, or confirmed it, in the session that the message came from.
  authenticated_at bigint,
  -- Failed ones.
  attempts smallint not null,
  next_attempt_at bigint not null,
  primary key (bucket, conversation_id, msg_id),
  foreign key (bucket, conversation_id, msg_id)
    references messages (bucket, conversation_id, msg_id) on delete cascade
);
create index bot_inbox_due on bot_inbox (bot_id, next_attempt_at);

-- Where a person is in the talk with the management bot, sealed.
create table dialogues (
  bucket integer not null,
  conversation_id text collate "C" not null,
  state bytea not null,
  state_key_id smallint not null,
  expires_at bigint not null,
  primary key (bucket, conversation_id)
);
create index dialogues_expiry on dialogues (expires_at);

-- Messages that show a secret, until their text is taken away.
create table shown_secrets (
  bucket integer not null,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  person_id text collate "C" not null,
  remove_at bigint not null,
  primary key (bucket, conversation_id, msg_id),
  foreign key (bucket, conversation_id, msg_id)
    references messages (bucket, conversation_id, msg_id) on delete cascade
);
create index shown_secrets_due on shown_secrets (remove_at);
