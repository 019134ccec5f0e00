-- What a comment answers: the block that it lifted, or the act that let its card go on.
alter table comment add column answer_to text collate "C";

create index comment_answer on comment (board, task_id, seq) where answer_to is not null;
