-- Events that are due at the same moment, as after an outage, go out in the order in which they happened.
drop index deliveries_open;
create index deliveries_open on deliveries (app_id, next_attempt_at, delivery_id)
  where state in ('pending', 'retrying');
