-- The tokens and sessions of the HTTP server. The table contains only hashes of the secrets.
create table token (
  id text collate "C" primary key,
  kind text collate "C" not null,
  -- The actor of everything that is done with it.
  name text collate "C" not null,
  scope text collate "C" not null,
  hash text collate "C" not null unique,
  -- The second part of a session; null for a token.
  secret_hash text collate "C",
  created_by text collate "C" not null,
  created_at bigint not null,
  -- Null: it does not expire.
  expires_at bigint,
  last_used_at bigint
);
