-- Invitation links of groups. The token begins with the bucket, so that a link is found in the shard of its group; the database has only
-- a hash of the token.
create table group_links (
  bucket integer not null,
  token_hash bytea not null,
  group_id text collate "C" not null,
  -- An administrator; the link is gone once they no longer are one.
  created_by text collate "C" not null,
  created_at bigint not null,
  -- Null: it has no end.
  expires_at bigint,
  -- Null: any number of people.
  uses integer,
  used integer not null default 0,
  primary key (bucket, token_hash),
  foreign key (bucket, group_id) references groups (bucket, group_id)
);
create index group_links_by_group on group_links (bucket, group_id);

-- People whom an administrator removed: no link lets them in again. The row is gone once an administrator adds them.
create table removed_members (
  bucket integer not null,
  group_id text collate "C" not null,
  account_id text collate "C" not null,
  removed_at bigint not null,
  primary key (bucket, group_id, account_id),
  foreign key (bucket, group_id) references groups (bucket, group_id)
);
create index removed_members_by_account on removed_members (account_id);
