-- A series creates a card at each time of its schedule.
create table series (
  id text collate "C" primary key,
  board text collate "C" not null,
  schedule text collate "C" not null,
  time_zone text collate "C" not null,
  -- The fields of the cards of the series, as JSON.
  card text collate "C" not null,
  skip_if_running bigint not null,
  anchor_at bigint not null,
  -- Null while the series is paused or its times are unknown.
  next_at bigint,
  -- When a dispatcher must handle the series. Null while it is paused.
  due_at bigint,
  -- When next_at was computed. A later time than now means that the clock was set back.
  computed_at bigint not null,
  paused_at bigint,
  paused_by text collate "C",
  created bigint not null,
  last_task text collate "C",
  last_slot bigint,
  -- Why the series created no card at its last time, as JSON.
  note text collate "C",
  commands_approved bigint not null,
  created_by text collate "C" not null,
  created_by_run text collate "C",
  created_at bigint not null,
  updated_at bigint not null
);

create index series_board on series (board, id);
create index series_due on series (due_at, id) where due_at is not null;
create index series_computed on series (computed_at, id) where due_at is not null;

-- The series that created a card, and the scheduled time. Each time of a series has at most one card.
alter table task add column series text collate "C";
alter table task add column series_slot bigint;
create unique index task_series on task (series, series_slot) where series is not null;
