-- The tokens and sessions of the HTTP server. The table contains only hashes of the secrets.
create table token (
  id text collate "C" primary key,
  kind text collate "C" not null,
  -- The actor that the history names for everything done with this token.
  name text collate "C" not null,
  scope text collate "C" not null,
  hash text collate "C" not null unique,
  -- The hash of the second secret of a session. Null for a token.
  secret_hash text collate "C",
  created_by text collate "C" not null,
  created_at bigint not null,
  -- Null means that the token does not expire.
  expires_at bigint,
  last_used_at bigint
);
