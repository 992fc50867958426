-- Who has left a group, or was removed: what they wrote there is theirs, and in the export of their data.
create table former_members (
  bucket integer not null,
  group_id text collate "C" not null,
  account_id text collate "C" not null,
  primary key (bucket, group_id, account_id),
  foreign key (bucket, group_id) references groups (bucket, group_id)
);
create index former_members_by_account on former_members (account_id);
-- Until now nobody noted it: those who wrote in a group and are not in it. Bots and deleted accounts among them ask for no export.
insert into former_members (bucket, group_id, account_id)
select distinct messages.bucket, messages.conversation_id, messages.sender_id
from messages
join groups on groups.bucket = messages.bucket and groups.group_id = messages.conversation_id and groups.deleted_at is null
where not exists (
  select from members
  where members.bucket = messages.bucket and members.group_id = messages.conversation_id
    and members.account_id = messages.sender_id);
