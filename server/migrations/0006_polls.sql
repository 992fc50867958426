-- Group "conversation", key bucket. Who asks what, and when, stands in the poll's message; here is what votes change.

create table polls (
  bucket integer not null,
  msg_id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- The other participant of a private conversation; null in a group.
  receiver_id text collate "C",
  -- Sealed. Only an anonymous poll has one, until it is closed.
  voter_secret bytea,
  voter_secret_key_id smallint,
  -- The number of votes of each option, in the order of the options in the message.
  option_votes integer[] not null,
  total_voters integer not null,
  closed_at bigint,
  primary key (bucket, msg_id),
  foreign key (bucket, conversation_id, msg_id)
    references messages (bucket, conversation_id, msg_id) on delete cascade
);

-- The voter is an account id; in an anonymous poll a pseudonym that says nothing without the poll's secret. There is
-- no time of the vote, which could tell who cast it.
create table poll_votes (
  bucket integer not null,
  msg_id text collate "C" not null,
  voter text collate "C" not null,
  option_id text collate "C" not null,
  primary key (bucket, msg_id, voter, option_id),
  foreign key (bucket, msg_id) references polls (bucket, msg_id) on delete cascade
);

-- The conversation of a poll, by the msgId alone.
alter table unique_names drop constraint unique_names_kind_check;
alter table unique_names add constraint unique_names_kind_check
  check (kind in ('email', 'username', 'poll'));
