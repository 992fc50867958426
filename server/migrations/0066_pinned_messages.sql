-- Group "conversation", key bucket: messages that stand at the top of a conversation, for everybody in it.
create table pinned_messages (
  bucket integer not null,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  pinned_by text collate "C" not null,
  pinned_at bigint not null,
  primary key (bucket, conversation_id, msg_id),
  foreign key (bucket, conversation_id, msg_id)
    references messages (bucket, conversation_id, msg_id) on delete cascade
);
