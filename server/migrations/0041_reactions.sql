-- Group "conversation", key bucket: who reacted to a message with what, all of one message in a sealed row.
create table reactions (
  bucket integer not null,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  -- Counts up with each change: pages tell by it which of two states is the newer one.
  version integer not null,
  body bytea not null,
  body_key_id smallint not null,
  primary key (bucket, conversation_id, msg_id),
  foreign key (bucket, conversation_id, msg_id)
    references messages (bucket, conversation_id, msg_id) on delete cascade
);
