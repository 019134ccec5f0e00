-- Numbers the comments of each card. Counting the older comments would read all of them.
alter table comment add column number integer;

update comment set number = numbered.number
from (select seq, row_number() over (partition by board, task_id order by seq) as number from comment) numbered
where numbered.seq = comment.seq;

create trigger comment_number after insert on comment begin
  update comment set number = 1 + coalesce(
    (select number from comment where board = new.board and task_id = new.task_id and seq < new.seq
      order by seq desc limit 1), 0)
  where seq = new.seq;
end;
