-- Group "account", key account_id; group "unique", key value. All times are epoch milliseconds.

create table unique_names (
  value text collate "C" not null,
  kind text not null check (kind in ('email', 'username')),
  owner_id text collate "C" not null,
  primary key (value, kind)
);

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
  deleted_at bigint
);

-- expires_at is the earlier of idle and absolute expiry; it moves on with last_seen_at.
create table sessions (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  session_hash bytea not null,
  user_agent text not null,
  created_at bigint not null,
  authenticated_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  primary key (account_id, session_hash)
);
create index sessions_expiry on sessions (expires_at);

-- The conversations that a person sees in the list; the messages themselves live with their conversation.
create table account_conversations (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  conversation_id text collate "C" not null,
  bucket integer not null,
  kind text not null check (kind in ('private', 'group')),
  peer_id text collate "C",
  created_at bigint not null,
  primary key (account_id, conversation_id)
);

create table account_applications (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  app_id text collate "C" not null,
  created_at bigint not null,
  primary key (account_id, app_id)
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
