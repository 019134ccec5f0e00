-- Numbers the comments of each card. Counting the older comments would read all of them.
alter table comment add column number bigint;

update comment set number = numbered.number
from (select seq, row_number() over (partition by board, task_id order by seq) as number from comment) numbered
where numbered.seq = comment.seq;

-- Gives a new comment the next number of its card. The command has locked the card, so no two comments get the same
-- number.
create function number_comment() returns trigger language plpgsql set search_path from current as $$
begin
  new.number := 1 + coalesce(
    (select number from comment where board = new.board and task_id = new.task_id order by seq desc limit 1), 0);
  return new;
end
$$;

create trigger comment_number before insert on comment for each row execute function number_comment();
