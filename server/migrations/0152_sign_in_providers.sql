-- OpenID providers through which people sign in, as operators set them up.
create table sign_in_providers (
  provider_id text collate "C" primary key,
  name text not null,
  -- With the subject, it identifies a person: it never changes.
  issuer text collate "C" not null unique,
  client_id text not null,
  client_secret bytea not null,
  client_secret_key_id smallint not null,
  -- Of confirmed addresses that may get an account; none: all.
  domains text[] not null,
  finds_by_email boolean not null,
  creates_accounts boolean not null,
  passwords_off boolean not null,
  needs_second_factor boolean not null,
  -- The claim, and the value in it, that makes a person an operator.
  operators_claim text,
  operators_value text,
  -- SHA-256 of the token with which the provider manages its people (SCIM).
  scim_token_hash bytea,
  created_at bigint not null,
  changed_at bigint not null
);

-- The logout tokens of providers, each of which is accepted once.
create table provider_logouts (
  provider_id text collate "C" not null,
  token_id text collate "C" not null,
  expires_at bigint not null,
  primary key (provider_id, token_id)
);

-- Whom a provider calls a person. That a subject belongs to one account stands in unique_names.
create table identities (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  issuer text collate "C" not null,
  -- Null for a person whom the provider announced (SCIM) and who has not signed in yet.
  subject text,
  -- As the provider announces them: the name, in lower case as well, and an id of its own.
  user_name text,
  external_id text collate "C",
  -- The account was made by the provider, which may therefore change and delete it.
  is_managed boolean not null,
  connected_at bigint not null,
  last_used_at bigint,
  primary key (account_id, issuer)
);
create index identities_by_external_id on identities (issuer, external_id) where external_id is not null;

-- The sessions that began at a provider, with the provider's own name of its session, if it has one.
create table provider_sessions (
  account_id text collate "C" not null,
  session_hash bytea not null,
  provider_id text collate "C" not null,
  session_id text collate "C",
  primary key (account_id, session_hash),
  foreign key (account_id, session_hash) references sessions (account_id, session_hash) on delete cascade
);
create index provider_sessions_by_provider on provider_sessions (provider_id, session_id);

-- The provider that made somebody an operator; null: the command line.
alter table operators add column provider_id text collate "C";

-- Since when a provider says that the person has left; nobody signs in to the account until it takes that back.
alter table accounts add column deactivated_at bigint;

-- Which kinds of names there are is a fact of the code.
alter table unique_names drop constraint unique_names_kind_check;
