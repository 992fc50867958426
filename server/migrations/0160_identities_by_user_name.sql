-- Providers look for a person by user name before each change, whatever its case: without this index each read all of their people.
create index identities_by_user_name on identities (issuer, lower(user_name)) where user_name is not null;
