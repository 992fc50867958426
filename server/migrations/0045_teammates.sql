-- Who works on an application beside its owner (docs/decisions/0053).

-- Group "application", key app_id.
create table teammates (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  account_id text collate "C" not null,
  role text not null check (role in ('developer', 'viewer')),
  joined_at bigint not null,
  primary key (app_id, account_id)
);

create table team_invitations (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  token_hash bytea not null,
  role text not null check (role in ('developer', 'viewer')),
  created_at bigint not null,
  expires_at bigint not null,
  primary key (app_id, token_hash)
);

-- Group "account", key account_id: the same from the other side, for the list of a person.
create table account_teams (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  app_id text collate "C" not null,
  primary key (account_id, app_id)
);
