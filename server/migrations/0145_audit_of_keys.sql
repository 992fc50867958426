-- Changes made with an API key that may set its bot up. Which channels there are is a fact of the contract.
alter table audit_entries drop constraint audit_entries_channel_check;
