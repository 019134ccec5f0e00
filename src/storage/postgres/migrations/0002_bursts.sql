-- Detects a burst of crashes. The statements add the time when an agent was resumed, and an index of the latest
-- crashes.
alter table slot add column resumed_at bigint;

-- When a pause of a slot ends automatically.
alter table slot add column paused_until bigint;

create index run_crashed on run (ended_at) where outcome = 'crashed';
