-- Version 0.2 did not use it any more: running_processes took its place. The release 0.2.0 has dropped it itself.
drop table if exists server_processes;
