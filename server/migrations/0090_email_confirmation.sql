-- Group "account", key account_id. When somebody followed the link of a mail to the address that stands in the account; null for
-- an address that nobody has proven. That is so for all addresses from before.
alter table accounts add column email_confirmed_at bigint;
