-- For databases of the release 0.2.0, which came before it: the baseline has it already.
create index if not exists events_placed on events (app_id, delivery_id) where feed_position is not null;
drop index if exists events_by_application;
