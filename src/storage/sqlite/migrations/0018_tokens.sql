-- The tokens and sessions of the HTTP server. The table contains only hashes of the secrets.
create table token (
  id text primary key not null,
  kind text not null,
  -- The actor that the history names for everything done with this token.
  name text not null,
  scope text not null,
  hash text not null unique,
  -- The hash of the second secret of a session. Null for a token.
  secret_hash text,
  created_by text not null,
  created_at integer not null,
  -- Null means that the token does not expire.
  expires_at integer,
  last_used_at integer
) strict;
