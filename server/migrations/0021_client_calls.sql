-- Applications call as themselves, too: POST /oauth/token and /oauth/revoke. What is there passed a narrower check.

alter table api_requests drop constraint api_requests_caller_check;
alter table api_requests
  add constraint api_requests_caller_check check (caller in ('bot', 'user', 'client')) not valid;
alter table usage_counts drop constraint usage_counts_caller_check;
alter table usage_counts
  add constraint usage_counts_caller_check check (caller in ('bot', 'user', 'client', 'webhook')) not valid;
