-- Devices that were marked under an earlier number are strangers to the account.
alter table accounts add column device_epoch integer not null default 0;
