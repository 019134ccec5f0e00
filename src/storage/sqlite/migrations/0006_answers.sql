-- The block that a comment answers, or the command that resumed the card.
alter table comment add column answer_to text;

create index comment_answer on comment (board, task_id, seq) where answer_to is not null;

insert into sqlite_stat1 (tbl, idx, stat) values ('comment', 'comment_answer', '10000 10000 2 1');
