-- Group "account", key account_id.
alter table accounts
  -- Nobody signs in until the address is confirmed.
  add column must_confirm_email boolean not null default false,
  -- Which terms the person accepted last, and when.
  add column terms_url text,
  add column terms_accepted_at bigint;

-- Group "unique", key value: invitations by which people sign up, by the fingerprint of what their link carries.
create table sign_up_invitations (
  value text collate "C" primary key,
  note text not null,
  uses integer not null,
  used integer not null,
  created_at bigint not null,
  expires_at bigint not null,
  check (used >= 0 and used <= uses)
);
