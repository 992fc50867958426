-- Group "account", key account_id: who somebody is, and how they sign in.

-- People and bots. A username stands in `username`, whoever has it; that it is unique, in unique_names.
create table accounts (
  account_id text collate "C" primary key,
  is_bot boolean not null,
  app_id text collate "C",
  name text not null,
  email text,
  username text,
  picture_url text,
  password_hash text,
  created_at bigint not null,
  deleted_at bigint,
  -- To a group.
  who_may_add_me text not null default 'everybody' check (who_may_add_me in ('everybody', 'contacts', 'nobody')),
  -- Devices that were marked under an earlier number are strangers to the account.
  device_epoch integer not null default 0,
  -- Whose pictures and files on other servers a person's pages load by themselves, since those servers learn the person's
  -- address. `contacts` are those the person wrote to.
  remote_media text not null default 'contacts' check (remote_media in ('always', 'contacts', 'on-click')),
  -- Whether others are told how far the person has read, and that the person is typing. Whoever does not tell is not told either.
  read_receipts boolean not null default true,
  typing_indicators boolean not null default true,
  -- Of a bot whose texts are shown as they are, without formatting.
  plain_text boolean not null default false,
  -- Whether others are told when the person was last here.
  last_seen boolean not null default true,
  -- While suspended_until is in the future, nobody signs in to the account; 9007199254740991 stands for no end.
  suspended_until bigint,
  suspension_reason text,
  -- In which language the server writes to a person; null where no page has told it yet.
  language text,
  -- When somebody followed the link of a mail to the address that stands in the account; null for an address that nobody has
  -- proven.
  email_confirmed_at bigint,
  -- Nobody signs in until the address is confirmed.
  must_confirm_email boolean not null default false,
  -- Which terms the person accepted last, and when.
  terms_url text,
  terms_accepted_at bigint,
  -- How much a person may do where operators chose another amount than the server's settings, by the name of the limit; null
  -- where they chose none.
  limits jsonb
);
-- Operators find people by how their names begin.
create index accounts_name on accounts (lower(name) text_pattern_ops) where not is_bot and deleted_at is null;

-- Sign-ins of browsers. `expires_at` is the earlier of idle and absolute expiry; it moves on with last_seen_at.
create table sessions (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  session_hash bytea not null,
  user_agent text not null,
  created_at bigint not null,
  authenticated_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  -- How the person proved who it is (RFC 8176); null in sessions that began before that was noted.
  methods text[],
  -- The same while a browser's sessions follow each other; null as `methods` is: then each stands for itself.
  sign_in_id text collate "C",
  primary key (account_id, session_hash)
);
create index sessions_expiry on sessions (expires_at);

-- WebAuthn credentials.
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

-- Secrets of one-time codes, sealed. Codes are asked for from enabled_at on.
create table two_factor_secrets (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  secret bytea not null,
  secret_key_id smallint not null,
  -- The 30 s step of the last code that was taken: neither it nor an earlier one is taken again.
  last_time_step bigint not null,
  enabled_at bigint
);

-- Codes for who has lost the second factor. A row goes with its use.
create table recovery_codes (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Questions (challenges, first steps of a sign-in) that were answered well, so that each is answered once. The open ones are with
-- the browsers, sealed.
create table used_tickets (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  ticket_id text collate "C" not null,
  expires_at bigint not null,
  primary key (account_id, ticket_id)
);
create index used_tickets_expiry on used_tickets (expires_at);

-- The link by which others reach a person. The token is sealed, for its owner; whose it is stands under its fingerprint in
-- unique_names.
create table invite_links (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  token bytea not null,
  token_key_id smallint not null,
  created_at bigint not null
);

-- One row per Idempotency-Key: the id that the thing to be created gets, and the first answer once there is one.
create table idempotency_keys (
  account_id text collate "C" not null,
  client_id text collate "C" not null,
  idempotency_key text collate "C" not null,
  request_hash bytea not null,
  reserved_id text collate "C" not null,
  answer bytea,
  answer_key_id smallint,
  created_at bigint not null,
  primary key (account_id, client_id, idempotency_key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- A person's uploads on the day of the last one (days since 1970, UTC).
create table media_usage (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  day integer not null,
  bytes bigint not null
);

-- Bots of the server itself, which belong to no application.
create table built_in_bots (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  description text not null,
  commands jsonb not null
);

-- Test people, whom the owners of applications play: accounts that nobody signs in to.
create table test_people (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  test_person_id text collate "C" not null,
  created_at bigint not null
);

-- The applications that a person owns.
create table account_applications (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  app_id text collate "C" not null,
  created_at bigint not null,
  primary key (account_id, app_id)
);

-- The applications that a person works on as a teammate.
create table account_teams (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  app_id text collate "C" not null,
  primary key (account_id, app_id)
);

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
