-- Raised by every change of an application, of its keys and of its bot: whoever remembers them compares one number.
alter table applications add column version integer not null default 0;
