-- Events for those who fetch them, and word to those who must know that one was abandoned.

alter table deliveries
  drop constraint deliveries_state_check,
  -- 'unsent': recorded while there was no webhook URL. Never sent, only fetched.
  add constraint deliveries_state_check
    check (state in ('unsent', 'pending', 'retrying', 'delivered', 'abandoned', 'cancelled')),
  -- Place in its application's feed, given after the commit, when somebody fetches.
  add column feed_position bigint,
  add column alerted_at bigint;
create index deliveries_unplaced on deliveries (app_id, delivery_id) where feed_position is null;
create index deliveries_feed on deliveries (app_id, feed_position) where feed_position is not null;
-- Ended ones by age, for the expiry.
create index deliveries_ended on deliveries (created_at) where state not in ('pending', 'retrying');
-- Abandoned, once more after a replay maybe, and nobody told yet.
create index deliveries_unalerted on deliveries (app_id)
  where state = 'abandoned' and (alerted_at is null or alerted_at < replayed_at);

-- Group "application", key app_id.

create table event_feeds (
  app_id text collate "C" primary key references applications (app_id) on delete cascade,
  last_position bigint not null
);

create table alert_contacts (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  contact_id text collate "C" not null,
  kind text not null check (kind in ('email', 'chat')),
  -- Sealed: a person's address, or a URL that lets whoever knows it write into a chat.
  target bytea not null,
  target_key_id smallint not null,
  created_at bigint not null,
  primary key (app_id, contact_id)
);

-- One digest of events that were abandoned.
create table alerts (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  alert_id text collate "C" not null,
  created_at bigint not null,
  event_count integer not null,
  -- How many of each type.
  event_counts jsonb not null,
  first_event_at bigint not null,
  last_event_at bigint not null,
  primary key (app_id, alert_id)
);

-- One alert on its way to one contact.
create table alert_notices (
  app_id text collate "C" not null,
  alert_id text collate "C" not null,
  contact_id text collate "C" not null,
  state text not null check (state in ('pending', 'sent', 'logged', 'failed')),
  attempts smallint not null,
  next_attempt_at bigint,
  lease_owner text collate "C",
  -- The error, in a word of ours.
  fault text,
  primary key (app_id, alert_id, contact_id),
  foreign key (app_id, alert_id) references alerts (app_id, alert_id) on delete cascade,
  foreign key (app_id, contact_id) references alert_contacts (app_id, contact_id) on delete cascade
);
create index alert_notices_open on alert_notices (next_attempt_at) where state = 'pending';
