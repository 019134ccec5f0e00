-- The judgements of a run's work towards the goal of its card (JSON), and the number of turns that the goal has used.
alter table run add column goal text collate "C";

alter table task add column goal_turns bigint not null default 0;
