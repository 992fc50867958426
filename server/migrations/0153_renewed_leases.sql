-- How often a worker has renewed its leases in Redis: one whose number does not rise while those of others do cannot reach it.
alter table delivery_workers add column renewals integer not null default 0;
