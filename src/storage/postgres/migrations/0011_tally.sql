-- The number of cards by status and assignee. Without this table, counting a board of a million cards would read all of
-- them. Each change adds a row, and the sum of the rows is the number of cards. So writers never wait for each other.
create table tally (
  board text collate "C" not null,
  status text collate "C" not null,
  -- Empty for unassigned cards.
  assignee text collate "C" not null,
  n bigint not null
);

create index tally_board on tally (board);

insert into tally (board, status, assignee, n)
select board, status, coalesce(assignee, ''), count(*) from task where deleted_at is null group by 1, 2, 3;

create function count_card() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null then
    insert into tally (board, status, assignee, n) values (old.board, old.status, coalesce(old.assignee, ''), -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null then
    insert into tally (board, status, assignee, n) values (new.board, new.status, coalesce(new.assignee, ''), 1);
  end if;
  return null;
end
$$;

create trigger task_tally after insert or delete on task for each row execute function count_card();

create trigger task_tally_update after update of status, assignee, deleted_at on task for each row
when (old.status <> new.status or old.assignee is distinct from new.assignee
  or (old.deleted_at is null) <> (new.deleted_at is null))
execute function count_card();

-- Merges the rows of `tally`. The transaction that appends every 256th event calls this function. That transaction has
-- the lock on the feed counter, so no two merges run at the same time.
create function fold_tally() returns trigger language plpgsql set search_path from current as $$
begin
  with counted as (delete from tally returning board, status, assignee, n)
  insert into tally (board, status, assignee, n)
  select board, status, assignee, sum(n) from counted group by 1, 2, 3 having sum(n) <> 0;
  return null;
end
$$;

create trigger feed_fold_tally after update on feed for each row
when (old.last_id / 256 <> new.last_id / 256)
execute function fold_tally();
