-- Group "account", key account_id: of a bot whose texts are shown as they are, without formatting.
alter table accounts add column plain_text boolean not null default false;
