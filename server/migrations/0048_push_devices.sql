-- Keys of the server itself, such as the one by which push services know it (RFC 8292).
create table service_keys (
  name text collate "C" primary key,
  public_key text not null,
  secret bytea not null,
  secret_key_id smallint not null,
  created_at bigint not null
);

-- Where the browser of a session is notified while no page is open; gone with the session.
create table push_devices (
  account_id text collate "C" not null,
  device_id text collate "C" not null,
  session_hash bytea not null,
  subscription bytea not null,
  subscription_key_id smallint not null,
  created_at bigint not null,
  primary key (account_id, device_id),
  foreign key (account_id, session_hash) references sessions (account_id, session_hash) on delete cascade
);

create table notification_settings (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  detail text not null,
  has_sound boolean not null,
  quiet_from text,
  quiet_until text,
  time_zone text
);
