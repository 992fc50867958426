-- Group "account", key account_id. A person has at most one story: the primary key says so.

create table stories (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  story_id text collate "C" not null,
  began_at bigint not null
);
create index stories_age on stories (began_at);

create table story_elements (
  account_id text collate "C" not null references stories (account_id) on delete cascade,
  element_id text collate "C" not null,
  type text not null check (type in ('text', 'image', 'video')),
  body bytea not null,
  body_key_id smallint not null,
  created_at bigint not null,
  primary key (account_id, element_id)
);

-- Whose a story is, by the storyId alone.
alter table unique_names drop constraint unique_names_kind_check;
alter table unique_names add constraint unique_names_kind_check
  check (kind in ('email', 'username', 'poll', 'story'));
