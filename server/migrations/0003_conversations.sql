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
);
