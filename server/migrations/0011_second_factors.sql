-- Group "account", key account_id.

alter table accounts add column who_may_add_me text not null default 'everybody'
  check (who_may_add_me in ('everybody', 'contacts', 'nobody'));

create table passkeys (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  credential_id text collate "C" not null,
  public_key bytea not null,
  -- Counts up with every use, where the authenticator counts at all.
  counter bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint,
  primary key (account_id, credential_id)
);

-- The secret is sealed. Codes are asked for from enabled_at on.
create table two_factor_secrets (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  secret bytea not null,
  secret_key_id smallint not null,
  -- The 30 s step of the last code that was taken: neither it nor an earlier one is taken again.
  last_time_step bigint not null,
  enabled_at bigint
);

-- A row goes with its use.
create table recovery_codes (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Questions (challenges, first steps of a sign-in) that were answered well, so that each is answered once. The open ones
-- are with the browsers, sealed.
create table used_tickets (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  ticket_id text collate "C" not null,
  expires_at bigint not null,
  primary key (account_id, ticket_id)
);
create index used_tickets_expiry on used_tickets (expires_at);

-- The token, sealed, for its owner; whose it is stands under its fingerprint in unique_names.
create table invite_links (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  token bytea not null,
  token_key_id smallint not null,
  created_at bigint not null
);
alter table unique_names drop constraint unique_names_kind_check;
alter table unique_names add constraint unique_names_kind_check
  check (kind in ('email', 'username', 'poll', 'story', 'invite'));

-- Group "family", key family_id.
alter table grants drop constraint grants_end_reason_check;
alter table grants add constraint grants_end_reason_check
  check (end_reason in ('revoked-by-person', 'revoked-by-client', 'refresh-token-reused', 'code-reused', 'code-expired',
    'refresh-token-expired', 'application-deleted', 'account-deleted'));
