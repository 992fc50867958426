-- An e-mail address is sent nothing but a link until somebody follows that. Those that are here already were told before; an
-- upgrade must not silence them.
alter table alert_contacts
  add column confirmed_at bigint,
  -- SHA-256 of what the latest link carries.
  add column confirmation_hash bytea,
  add column confirmation_sent_at bigint;
update alert_contacts set confirmed_at = created_at;
