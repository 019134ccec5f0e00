-- The views that people saved, for the board in the dashboard and for lists at the terminal.
create table saved_view (
  name text primary key not null,
  -- Null means all boards.
  board text,
  query text not null,
  created_by text not null,
  created_at integer not null,
  updated_at integer not null
) strict;
