-- Small, and read by every process: on Citus it is on the coordinator. Of what the command line changed, whose open pages have to look
-- again: ids of people, groups and applications. Rows go after an hour.
create table noted_topics (
  note_id text collate "C" primary key,
  noted_at bigint not null,
  topics text[] not null
);
