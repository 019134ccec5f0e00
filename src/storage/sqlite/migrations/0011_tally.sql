-- The number of cards by status and assignee. Without this table, counting a board of a million cards would read all of
-- them.
create table tally (
  board text not null,
  status text not null,
  -- Empty for unassigned cards.
  assignee text not null,
  n integer not null,
  primary key (board, status, assignee)
) strict, without rowid;

insert into tally (board, status, assignee, n)
select board, status, coalesce(assignee, ''), count(*) from task where deleted_at is null group by 1, 2, 3;

create trigger task_tally_insert after insert on task when new.deleted_at is null begin
  insert into tally (board, status, assignee, n) values (new.board, new.status, coalesce(new.assignee, ''), 1)
  on conflict (board, status, assignee) do update set n = n + 1;
end;

create trigger task_tally_delete after delete on task when old.deleted_at is null begin
  update tally set n = n - 1
  where board = old.board and status = old.status and assignee = coalesce(old.assignee, '');
end;

create trigger task_tally_update after update of status, assignee, deleted_at on task
when old.status <> new.status or old.assignee is not new.assignee or (old.deleted_at is null) <> (new.deleted_at is null)
begin
  update tally set n = n - 1
  where old.deleted_at is null and board = old.board and status = old.status and assignee = coalesce(old.assignee, '');
  insert into tally (board, status, assignee, n)
  select new.board, new.status, coalesce(new.assignee, ''), 1 where new.deleted_at is null
  on conflict (board, status, assignee) do update set n = n + 1;
end;
