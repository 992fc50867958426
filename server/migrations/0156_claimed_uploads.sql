-- How many requests have claimed a use: one that is refused takes its claim back, and the last one the use.
alter table media_uses add column claims integer not null default 1;
