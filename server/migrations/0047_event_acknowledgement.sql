-- How far the bot has fetched its feed: up to here, events without a webhook URL count as received.
alter table event_feeds add column fetched_position bigint not null default 0;
-- How far it has handled them, as far as it said so: a bot that keeps no cursor of its own goes on here.
alter table event_feeds add column acknowledged_position bigint not null default 0;
