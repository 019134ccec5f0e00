-- A series creates a card at each time of its schedule.
create table series (
  id text primary key not null,
  board text not null,
  schedule text not null,
  time_zone text not null,
  -- The fields of the cards of the series, as JSON.
  card text not null,
  skip_if_running integer not null,
  anchor_at integer not null,
  -- Null while the series is paused or its times are unknown.
  next_at integer,
  -- When a dispatcher must handle the series. Null while it is paused.
  due_at integer,
  -- When next_at was computed. A later time than now means that the clock was set back.
  computed_at integer not null,
  paused_at integer,
  paused_by text,
  created integer not null,
  last_task text,
  last_slot integer,
  -- Why the series created no card at its last time, as JSON.
  note text,
  commands_approved integer not null,
  created_by text not null,
  created_by_run text,
  created_at integer not null,
  updated_at integer not null
) strict;

create index series_board on series (board, id);
create index series_due on series (due_at, id) where due_at is not null;
create index series_computed on series (computed_at, id) where due_at is not null;

-- The series that created a card, and the scheduled time. Each time of a series has at most one card.
alter table task add column series text;
alter table task add column series_slot integer;
create unique index task_series on task (series, series_slot) where series is not null;

insert into sqlite_stat1 (tbl, idx, stat) values ('task', 'task_series', '1000000 200 1');
