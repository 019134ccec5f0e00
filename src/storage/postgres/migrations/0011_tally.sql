-- How many cards each column has, by assignee: counting a board of a million cards would read all of them.
-- A row is added for each change, and the sum of the rows is the number of cards. Writers so never wait for each other.
create table tally (
  board text collate "C" not null,
  status text collate "C" not null,
  -- Empty for cards that nobody is assigned to.
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

-- Whoever appends every 256th event adds up the rows. The lock on the feed's counter keeps a second one away meanwhile.
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
