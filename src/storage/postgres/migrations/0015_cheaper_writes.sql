-- Removes check constraints. PostgreSQL parses the constraints of a table again for each statement that writes to the
-- table, which took a tenth of the server's time. Core writes only valid values, and SQLite checks the same constraints
-- in the same tests. Constraints on two columns stay. So does the constraint on `open_parents`, because SQL computes
-- that value.
alter table task
  drop constraint if exists task_title_check,
  drop constraint if exists task_status_check,
  drop constraint if exists task_workspace_kind_check,
  drop constraint if exists task_workspace_state_check,
  drop constraint if exists task_consecutive_failures_check,
  drop constraint if exists task_protocol_violations_check,
  drop constraint if exists task_review_failures_check,
  drop constraint if exists task_rate_limits_check,
  drop constraint if exists task_breaker_open_check,
  drop constraint if exists task_block_kind_check,
  drop constraint if exists task_resume_status_check,
  drop constraint if exists task_held_check,
  drop constraint if exists task_cooldown_reason_check,
  drop constraint if exists task_guard_reason_check,
  drop constraint if exists task_commands_approved_check,
  drop constraint if exists task_max_retries_check;

alter table run
  drop constraint if exists run_attempt_check,
  drop constraint if exists run_phase_check,
  drop constraint if exists run_kind_check,
  drop constraint if exists run_probe_check;

-- The counter trigger now writes both rows at once when a card moves. It names the schema, because setting a search
-- path for each card takes time.
do $do$
begin
  execute format(
    $function$
      create or replace function count_card() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.deleted_at is null and new.deleted_at is null then
          insert into %1$I.tally (board, status, assignee, n)
          values (old.board, old.status, coalesce(old.assignee, ''), -1),
            (new.board, new.status, coalesce(new.assignee, ''), 1);
          return null;
        end if;
        if tg_op <> 'INSERT' and old.deleted_at is null then
          insert into %1$I.tally (board, status, assignee, n)
          values (old.board, old.status, coalesce(old.assignee, ''), -1);
        end if;
        if tg_op <> 'DELETE' and new.deleted_at is null then
          insert into %1$I.tally (board, status, assignee, n)
          values (new.board, new.status, coalesce(new.assignee, ''), 1);
        end if;
        return null;
      end
      $$
    $function$,
    current_schema()
  );
end
$do$;
