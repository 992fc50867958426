-- Group "account", key account_id.

-- In which language the server writes to a person; null where no page has told it yet.
alter table accounts add column language text;

-- The kind of what is reported, so that the operator can list one kind.
alter table reports add column target text not null default 'person';
alter table reports add constraint reports_target_check check (target in ('person', 'bot', 'group'));
update reports set target = 'group' where reported_id is null;
-- The operator's decision; null while it is open.
alter table reports add column decision text;
alter table reports add constraint reports_decision_check check (decision in ('nothing', 'warned', 'removed', 'suspended'));
