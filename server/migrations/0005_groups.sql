-- Group "conversation", key bucket: the bucket of the group's id. A group's messages are in messages, conversation_id =
-- group_id; a person's groups are rows of account_conversations, written with the membership.

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
  primary key (bucket, group_id)
);

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
