-- Of which moment the last good backup is, noted by the command that wrote it, so that the server can tell how old it is.
create table last_backup (
  is_the_one boolean primary key default true check (is_the_one),
  taken_at bigint not null
);
