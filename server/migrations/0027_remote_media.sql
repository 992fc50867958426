-- Whose pictures and files on other servers a person's pages load by themselves: each of those servers learns the
-- person's address.

-- Group "account", key account_id. `contacts` are those the person wrote to.
alter table accounts add column remote_media text not null default 'contacts';
alter table accounts add constraint accounts_remote_media_check
  check (remote_media in ('always', 'contacts', 'on-click'));

-- Group "conversation", key bucket: who set the photo; unknown of older ones.
alter table groups add column photo_set_by text collate "C";
