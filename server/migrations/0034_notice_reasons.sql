-- Why an alert could not be sent, for pages in other languages than the text of `fault`.
alter table alert_notices add column fault_reason text, add column fault_values jsonb;
