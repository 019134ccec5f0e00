-- When a card was split, and the attempts to plan it automatically.
alter table task add column decomposed_at bigint;
alter table task add column plan_attempts bigint not null default 0;
alter table task add column plan_started_at bigint;
alter table task add column plan_after bigint not null default 0;
alter table task add column plan_failure text collate "C";
create index task_plan_due on task (board, plan_after, created_at, id)
  where status = 'triage' and block_kind is null and decomposed_at is null and started_at is null and deleted_at is null;
create index task_plan_started on task (board, plan_started_at) where plan_started_at is not null;
