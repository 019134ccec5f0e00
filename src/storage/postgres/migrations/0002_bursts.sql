-- What tells a burst of crashes: the latest ones without reading the others, and since when an agent may run again.
alter table slot add column resumed_at bigint;

-- When a pause of a place ends by itself.
alter table slot add column paused_until bigint;

create index run_crashed on run (ended_at) where outcome = 'crashed';
