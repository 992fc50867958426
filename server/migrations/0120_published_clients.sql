-- Group "application", key app_id: the address of the document that describes a client which nobody registered here, and so nobody
-- owns (docs/decisions/0083).
alter table applications add column client_url text;
