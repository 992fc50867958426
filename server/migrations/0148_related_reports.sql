-- Reports about the same person or group, and what operators did about one of them.
create index reports_about on reports (coalesce(reported_id, conversation_id), report_id desc);
create index operator_acts_subject on operator_acts (subject);
