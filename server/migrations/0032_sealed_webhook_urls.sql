-- Group "application", key app_id.

-- A webhook URL often bears a token in its path or query. `webhook_url` is where the previous version keeps it; when that is
-- null, the sealed one counts.
alter table applications
  add column sealed_webhook_url bytea,
  add column sealed_webhook_url_key_id smallint;

-- Those that wait to be sealed: none, soon.
create index applications_clear_webhook_url on applications (app_id) where webhook_url is not null;
