-- The views that people saved, for the board in the dashboard and for lists at the terminal.
create table saved_view (
  name text collate "C" primary key,
  -- Null means all boards.
  board text collate "C",
  query text collate "C" not null,
  created_by text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null
);
