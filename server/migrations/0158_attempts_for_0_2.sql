-- Version 0.2 reads only this column: without a value it would take a delivered event for one that was never sent, and send it again.
alter table event_attempts alter column entry set default '{"at": 0, "attempt": 1}';
