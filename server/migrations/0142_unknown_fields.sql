-- Names of fields in the body that the endpoint does not know; null if there were none.
alter table api_requests add column unknown_fields text[];
