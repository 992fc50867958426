-- Administrators of groups make addresses that tools post to, for applications of others: the audit trail tells of it.
alter table audit_entries drop constraint audit_entries_channel_check;
alter table audit_entries add constraint audit_entries_channel_check
  check (channel in ('console', 'chat', 'management-bot', 'command-line'));
