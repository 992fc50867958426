-- Proof, per key id, that the key in the keyring is the one that sealed the rows.
create table encryption_keys (
  key_id smallint primary key,
  proof bytea not null,
  created_at bigint not null
);
