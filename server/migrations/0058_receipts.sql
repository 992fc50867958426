-- Group "account", key account_id: up to which message of a private chat some page of the person has heard, and whether others
-- are told how far the person has read, and that the person is typing. Whoever does not tell is not told either.
alter table account_conversations add column delivered_msg_id text collate "C";
alter table accounts add column read_receipts boolean not null default true;
alter table accounts add column typing_indicators boolean not null default true;
