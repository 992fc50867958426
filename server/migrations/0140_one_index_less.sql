-- Each event is in one of two indexes of its application, by whether it has a place in the feed: one less to write when it is recorded.
create index events_placed on events (app_id, delivery_id) where feed_position is not null;
drop index events_by_application;
