-- Group "account", key account_id.

-- While suspended_until is in the future, nobody signs in to the account; 9007199254740991 stands for no end.
alter table accounts add column suspended_until bigint;
alter table accounts add column suspension_reason text;
-- Operators find people by how their names begin.
create index accounts_name on accounts (lower(name) text_pattern_ops) where not is_bot and deleted_at is null;

-- Group "application", key app_id.
create index applications_name on applications (lower(name) text_pattern_ops) where state <> 'deleted';

-- Group "account", key account_id.

-- Who may enter the operator's console. Named by the command line alone.
create table operators (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  named_at bigint not null
);

-- The acts of operators; the command line acts as "command-line". Rows are added and never changed or deleted.
create table operator_acts (
  account_id text collate "C" not null,
  act_id text collate "C" not null,
  at bigint not null,
  act text not null,
  -- The subject of the act: the id of an account, an application, a message.
  subject text collate "C" not null,
  details jsonb not null,
  primary key (account_id, act_id)
);
create index operator_acts_order on operator_acts (act_id desc);

-- Group "family", key family_id: tokens are refused so long, while the person is suspended.
alter table grants add column held_until bigint;
