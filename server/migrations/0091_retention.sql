-- Group "conversation", key bucket: conversations whose messages are kept for another time than the server's setting says.
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

-- Before a message is deleted the foreign key of quotes looks for those that quote it: without this index, among all of its
-- conversation.
create index messages_quoting on messages (bucket, conversation_id, reply_to_msg_id) where reply_to_msg_id is not null;
-- Expiry leaves dead rows in the oldest pages; the sooner they are vacuumed, the sooner new messages take their place.
alter table messages set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
