-- Group "account", key account_id. A person's username stands in accounts.username, where a bot's does.
alter table accounts add column last_seen boolean not null default true;

-- People's reports to the operator, under the key of who reports. The messages are those that the person chose to show, as they
-- were then.
create table reports (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  report_id text collate "C" not null,
  -- Who is reported; null for a group as a whole.
  reported_id text collate "C",
  conversation_id text collate "C" not null,
  reason text not null,
  body bytea not null,
  body_key_id smallint not null,
  state text not null check (state in ('open', 'dismissed', 'acted')),
  created_at bigint not null,
  decided_at bigint,
  primary key (account_id, report_id)
);
create index reports_by_state on reports (state, report_id);
