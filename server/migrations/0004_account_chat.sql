-- Group "account", key account_id: what a person sees and keeps in the chat.

-- The conversations in a person's list, and how the person keeps them; their messages stand with the conversation. Markers are
-- msgIds, which are ordered by time, and never move back.
create table account_conversations (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  conversation_id text collate "C" not null,
  bucket integer not null,
  kind text not null check (kind in ('private', 'group')),
  peer_id text collate "C",
  created_at bigint not null,
  -- Up to here the person has read.
  read_msg_id text collate "C",
  -- Up to here the person wants to see nothing: "delete for me".
  hidden_msg_id text collate "C",
  is_muted boolean not null default false,
  -- Up to here, in a private chat, some page of the person has been told.
  delivered_msg_id text collate "C",
  -- With is_muted: until when. Null where it does not end by itself.
  muted_until bigint,
  notify_of text not null default 'all',
  has_sound boolean not null default true,
  pinned_at bigint,
  -- It is put away until somebody writes after this message.
  archived_msg_id text collate "C",
  -- Counts up with each change of these: pages tell by it which of two states is the newer one.
  settings_version integer not null default 0,
  primary key (account_id, conversation_id)
);

-- What somebody has begun to write in a conversation, sealed. It goes when they leave it.
create table drafts (
  account_id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- Counts up with the time of each change, also across deletions: pages tell by it which of two states is the newer one.
  version bigint not null,
  body bytea not null,
  body_key_id smallint not null,
  primary key (account_id, conversation_id),
  foreign key (account_id, conversation_id)
    references account_conversations (account_id, conversation_id) on delete cascade
);

-- Messages that a person deleted for themselves. That a message was edited or deleted for everybody is in its sealed body.
create table hidden_messages (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  msg_id text collate "C" not null,
  primary key (account_id, msg_id)
);

-- Messages that mention somebody who has not read them. Their bodies are sealed, so this is noted when they are written.
create table mentions (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  conversation_id text collate "C" not null,
  msg_id text collate "C" not null,
  primary key (account_id, conversation_id, msg_id)
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

-- How a person is notified; without a row, as the server does by itself.
create table notification_settings (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  detail text not null,
  has_sound boolean not null,
  quiet_from text,
  quiet_until text,
  time_zone text
);

-- People's reports to the operator, under the key of who reports. The messages are those that the person chose to show, as they
-- were then.
create table reports (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  report_id text collate "C" not null,
  -- Who is reported; null for a group as a whole.
  reported_id text collate "C",
  conversation_id text collate "C" not null,
  reason text not null,
  body bytea not null,
  body_key_id smallint not null,
  state text not null check (state in ('open', 'dismissed', 'acted')),
  created_at bigint not null,
  decided_at bigint,
  -- The kind of what is reported, so that the operator can list one kind.
  target text not null default 'person' check (target in ('person', 'bot', 'group')),
  -- The operator's decision; null while it is open.
  decision text check (decision in ('nothing', 'warned', 'removed', 'suspended')),
  primary key (account_id, report_id)
);
create index reports_by_state on reports (state, report_id);

-- A person has at most one story: the primary key says so.
create table stories (
  account_id text collate "C" primary key references accounts (account_id) on delete cascade,
  story_id text collate "C" not null,
  began_at bigint not null
);
create index stories_age on stories (began_at);

-- What a story consists of, sealed.
create table story_elements (
  account_id text collate "C" not null references stories (account_id) on delete cascade,
  element_id text collate "C" not null,
  type text not null check (type in ('text', 'image', 'video')),
  body bytea not null,
  body_key_id smallint not null,
  created_at bigint not null,
  primary key (account_id, element_id)
);

-- Up to which element somebody has seen the story of somebody else.
create table story_views (
  account_id text collate "C" not null references accounts (account_id) on delete cascade,
  owner_id text collate "C" not null,
  element_id text collate "C" not null,
  primary key (account_id, owner_id)
);
