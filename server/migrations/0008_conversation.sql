-- Group "conversation", key bucket (0 to 1023, a hash of the conversation id computed in the server).

-- One row per side of a private conversation: what account_id has done towards peer_id.
create table contacts (
  bucket integer not null,
  conversation_id text collate "C" not null,
  account_id text collate "C" not null,
  peer_id text collate "C" not null,
  wrote_at bigint,
  blocked_at bigint,
  primary key (bucket, conversation_id, account_id)
);
-- Whom a person blocks, read over all shards for the person's own list.
create index contacts_blocked on contacts (account_id) where blocked_at is not null;

-- What was said in private conversations and in groups, where conversation_id is the id of the group. Bodies are sealed.
create table messages (
  bucket integer not null,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  sender_id text collate "C" not null,
  type text not null,
  body bytea not null,
  body_key_id smallint not null,
  reply_to_msg_id text collate "C",
  sent_at bigint not null,
  primary key (bucket, conversation_id, msg_id),
  foreign key (bucket, conversation_id, reply_to_msg_id) references messages (bucket, conversation_id, msg_id)
-- Expiry leaves dead rows in the oldest pages; the sooner they are vacuumed, the sooner new messages take their place.
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
-- Before a message is deleted the foreign key of quotes looks for those that quote it: without this index, among all of its
-- conversation.
create index messages_quoting on messages (bucket, conversation_id, reply_to_msg_id) where reply_to_msg_id is not null;

-- Who reacted to a message with what, all of one message in a sealed row.
create table reactions (
  bucket integer not null,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  -- Counts up with each change: pages tell by it which of two states is the newer one.
  version integer not null,
  body bytea not null,
  body_key_id smallint not null,
  primary key (bucket, conversation_id, msg_id),
  foreign key (bucket, conversation_id, msg_id) references messages (bucket, conversation_id, msg_id) on delete cascade
);

-- Messages that stand at the top of a conversation, for everybody in it.
create table pinned_messages (
  bucket integer not null,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  pinned_by text collate "C" not null,
  pinned_at bigint not null,
  primary key (bucket, conversation_id, msg_id),
  foreign key (bucket, conversation_id, msg_id) references messages (bucket, conversation_id, msg_id) on delete cascade
);

-- Conversations whose messages are kept for another time than the server's setting says.
create table conversation_retention (
  bucket integer not null,
  conversation_id text collate "C" not null,
  -- For how long its people keep messages; null where the setting alone counts.
  lifetime_days smallint,
  -- Since when a legal hold keeps everything; null without one.
  held_at bigint,
  primary key (bucket, conversation_id)
);

-- The text of messages of a held conversation before they were edited or deleted: sealed as it was.
create table held_messages (
  bucket integer not null,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  -- Counts up with each change of the message, from 1.
  version integer not null,
  kept_at bigint not null,
  sender_id text collate "C" not null,
  type text not null,
  body bytea not null,
  body_key_id smallint not null,
  primary key (bucket, conversation_id, msg_id, version)
);

-- A person's groups are rows of account_conversations, written with the membership.
create table groups (
  bucket integer not null,
  group_id text collate "C" not null,
  name text not null,
  description text not null,
  photo_url text,
  is_broadcast boolean not null,
  send_messages boolean not null,
  edit_info_only_admin boolean not null,
  creator_id text collate "C" not null,
  -- Changed under the lock of this row alone, so that the size limit holds however many add at once.
  member_count integer not null,
  created_at bigint not null,
  deleted_at bigint,
  -- Null where it was set before that was noted.
  photo_set_by text collate "C",
  primary key (bucket, group_id)
);

-- Who is in a group.
create table members (
  bucket integer not null,
  group_id text collate "C" not null,
  account_id text collate "C" not null,
  is_admin boolean not null,
  -- The application of a member that is a bot; it replaces the join to bots.
  bot_app_id text collate "C",
  joined_at bigint not null,
  primary key (bucket, group_id, account_id),
  foreign key (bucket, group_id) references groups (bucket, group_id)
);
-- The member bots of a group in one look-up, however many people are in it.
create index member_bots on members (bucket, group_id) include (account_id, bot_app_id) where bot_app_id is not null;

-- What votes change of a poll. Who asks what, and when, stands in its message.
create table polls (
  bucket integer not null,
  msg_id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- The other participant of a private conversation; null in a group.
  receiver_id text collate "C",
  -- Sealed. Only an anonymous poll has one, until it is closed.
  voter_secret bytea,
  voter_secret_key_id smallint,
  -- The number of votes of each option, in the order of the options in the message.
  option_votes integer[] not null,
  total_voters integer not null,
  closed_at bigint,
  primary key (bucket, msg_id),
  foreign key (bucket, conversation_id, msg_id) references messages (bucket, conversation_id, msg_id) on delete cascade
);

-- The voter is an account id; in an anonymous poll a pseudonym that says nothing without the poll's secret. There is no time of
-- the vote, which could tell who cast it.
create table poll_votes (
  bucket integer not null,
  msg_id text collate "C" not null,
  voter text collate "C" not null,
  option_id text collate "C" not null,
  primary key (bucket, msg_id, voter, option_id),
  foreign key (bucket, msg_id) references polls (bucket, msg_id) on delete cascade
);

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
  foreign key (bucket, conversation_id, msg_id) references messages (bucket, conversation_id, msg_id) on delete cascade
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
  foreign key (bucket, conversation_id, msg_id) references messages (bucket, conversation_id, msg_id) on delete cascade
);
create index shown_secrets_due on shown_secrets (remove_at);

-- The server's processes that run, each under a name of its own. A reference table cannot be written while a node of Citus is
-- away; a row of one shard can, unless that is where it lies.
create table running_processes (
  -- Where the process could write last; no conversation's.
  bucket integer not null,
  process_id text collate "C" not null,
  host text not null,
  pid integer not null,
  version text not null,
  roles text not null,
  started_at bigint not null,
  -- A row that is not renewed is of a process that has ended.
  seen_at bigint not null,
  -- Its last requests that failed, at most 20: no message, no path, no person.
  errors jsonb not null,
  primary key (bucket, process_id)
);
