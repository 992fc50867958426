-- Group "application", key app_id: how an application gets its events, and who is told when it does not.

-- Positions in the feed from which a bot fetches events.
create table event_feeds (
  app_id text collate "C" primary key references applications (app_id) on delete cascade,
  last_position bigint not null,
  -- How far the bot has fetched its feed: up to here, events without a webhook URL count as received.
  fetched_position bigint not null default 0,
  -- How far it has handled them, as far as it said so: a bot that keeps no cursor of its own goes on here.
  acknowledged_position bigint not null default 0
);

-- Work on many events of one application, which a worker does in slices: a request that did it all would hold locks for as long
-- as there are events.
create table event_tasks (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  -- follow-state: what is open becomes due, waits, or is cancelled, as the application now is. replay: what failed is sent again.
  kind text not null check (kind in ('follow-state', 'replay')),
  requested_at bigint not null,
  -- Of a replay: events that happened then or later, and were not sent again since.
  since bigint,
  -- How far a replay has looked for events that were never sent.
  after_id text collate "C",
  primary key (app_id, kind)
);

-- Endpoints that do not answer. While there is a row, an application's due attempts count as failed without a connection, except
-- for those of one worker, which sends one event at a time to see whether the endpoint answers again.
create table open_breakers (
  app_id text collate "C" primary key references applications (app_id) on delete cascade,
  opened_at bigint not null,
  -- The worker that probes, until this time unless it says so again.
  owner text collate "C" not null,
  owned_until bigint not null
);

-- Who is told that events were abandoned.
create table alert_contacts (
  app_id text collate "C" not null references applications (app_id) on delete cascade,
  contact_id text collate "C" not null,
  kind text not null check (kind in ('email', 'chat')),
  -- Sealed: a person's address, or a URL that lets whoever knows it write into a chat.
  target bytea not null,
  target_key_id smallint not null,
  created_at bigint not null,
  muted_until bigint,
  -- An e-mail address is sent nothing but a link until somebody follows that.
  confirmed_at bigint,
  -- SHA-256 of what the latest link carries.
  confirmation_hash bytea,
  confirmation_sent_at bigint,
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
  -- Why it could not be sent: in English, and as a reason for pages in other languages.
  fault text,
  fault_reason text,
  fault_values jsonb,
  primary key (app_id, alert_id, contact_id),
  foreign key (app_id, alert_id) references alerts (app_id, alert_id) on delete cascade,
  foreign key (app_id, contact_id) references alert_contacts (app_id, contact_id) on delete cascade
);
create index alert_notices_open on alert_notices (next_attempt_at) where state = 'pending';
