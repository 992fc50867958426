-- Group "account", key account_id. How much a person may do where operators chose another amount than the server's settings, by the
-- name of the limit; null where they chose none.
alter table accounts add column limits jsonb;
