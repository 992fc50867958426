-- An application may have several API keys, distinguished by name (docs/decisions/0053).

-- Group "application", key app_id.
alter table api_keys add column name text not null default 'default';
