-- Version 0.2 did not use it any more: running_processes took its place.
drop table server_processes;
