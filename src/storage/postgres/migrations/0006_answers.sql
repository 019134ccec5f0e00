-- The block that a comment answers, or the command that resumed the card.
alter table comment add column answer_to text collate "C";

create index comment_answer on comment (board, task_id, seq) where answer_to is not null;
