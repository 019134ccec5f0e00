-- The judgements of a run's work towards the goal of its card (JSON), and the number of turns that the goal has used.
alter table run add column goal text;

alter table task add column goal_turns integer not null default 0 check (goal_turns >= 0);
