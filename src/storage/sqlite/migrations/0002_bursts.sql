-- Detects a burst of crashes. The statements add the time when an agent was resumed, and an index of the latest
-- crashes.
alter table slot add column resumed_at integer;

-- When a pause of a slot ends automatically.
alter table slot add column paused_until integer;

create index run_crashed on run (ended_at) where outcome = 'crashed';

insert into sqlite_stat1 (tbl, idx, stat) values ('run', 'run_crashed', '10000 1');
