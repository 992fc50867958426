-- A logout token is due at once; nobody asks when it was asked for.
alter table logout_notices drop column created_at;
