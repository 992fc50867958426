-- Group "unique", key value.

-- Whose a name or an id is, where the value alone is known: each is taken by the insertion of its row.
create table unique_names (
  value text collate "C" not null,
  kind text not null check (kind in ('email', 'username', 'poll', 'story', 'invite')),
  owner_id text collate "C" not null,
  primary key (value, kind)
);

-- Invitations by which people sign up, by the fingerprint of what their link carries.
create table sign_up_invitations (
  value text collate "C" primary key,
  note text not null,
  uses integer not null,
  used integer not null,
  created_at bigint not null,
  expires_at bigint not null,
  check (used >= 0 and used <= uses)
);
