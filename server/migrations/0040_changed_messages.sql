-- Group "account", key account_id: messages that a person deleted for themselves. What a message says now, and that it
-- was edited or deleted for everybody, is in its sealed body.
create table hidden_messages (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  msg_id text collate "C" not null,
  primary key (account_id, msg_id)
);

-- Group "media", key media_id: an upload whose message was deleted is served no more, and removed at the next sweep.
alter table media add column released_at bigint;
