-- The usage of ended runs by time, to sum tokens and cost of the last days.
create index run_usage on run (board, ended_at) where usage is not null;

insert into sqlite_stat1 (tbl, idx, stat) values ('run', 'run_usage', '100000 100000 1');

-- The branch, tag or commit from which the worktree of a card starts. Null means the current commit of the repository.
alter table task add column base text;

-- An index of trigrams in comments and results, like the index of titles and bodies. Each text has its own entry, so
-- that the cost of a new comment does not grow with its card.
create table note_text (
  key integer primary key,
  task_id text not null,
  -- Null for the result of a card.
  comment_id text unique,
  is_long integer not null check (is_long in (0, 1))
) strict;

create unique index note_text_result on note_text (task_id) where comment_id is null;

create index note_text_long on note_text (task_id) where is_long = 1;

create virtual table note_search using fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);

insert into note_text (task_id, comment_id, is_long) select task_id, id, octet_length(body) > 16384 from comment;

insert into note_text (task_id, comment_id, is_long)
select id, null, octet_length(result) > 16384 from task where result is not null;

insert into note_search (rowid, text)
select note_text.key, coalesce(comment.body, task.result) from note_text
left join comment on comment.id = note_text.comment_id left join task on task.id = note_text.task_id
where note_text.is_long = 0 order by note_text.key;

create trigger comment_text after insert on comment begin
  insert into note_text (task_id, comment_id, is_long) values (new.task_id, new.id, octet_length(new.body) > 16384);
  insert into note_search (rowid, text)
  select key, new.body from note_text where comment_id = new.id and is_long = 0;
end;

create trigger comment_text_delete after delete on comment begin
  delete from note_search where rowid = (select key from note_text where comment_id = old.id);
  delete from note_text where comment_id = old.id;
end;

create trigger result_text after insert on task when new.result is not null begin
  insert into note_text (task_id, comment_id, is_long) values (new.id, null, octet_length(new.result) > 16384);
  insert into note_search (rowid, text)
  select key, new.result from note_text where task_id = new.id and comment_id is null and is_long = 0;
end;

create trigger result_text_update after update of result on task when old.result is not new.result begin
  delete from note_search where rowid = (select key from note_text where task_id = old.id and comment_id is null);
  delete from note_text where task_id = old.id and comment_id is null;
  insert into note_text (task_id, comment_id, is_long)
  select new.id, null, octet_length(new.result) > 16384 where new.result is not null;
  insert into note_search (rowid, text)
  select key, new.result from note_text where task_id = new.id and comment_id is null and is_long = 0;
end;

create trigger result_text_delete after delete on task when old.result is not null begin
  delete from note_search where rowid = (select key from note_text where task_id = old.id and comment_id is null);
  delete from note_text where task_id = old.id and comment_id is null;
end;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('note_text', 'sqlite_autoindex_note_text_1', '1000000 1'),
  ('note_text', 'note_text_result', '1000000 1'),
  ('note_text', 'note_text_long', '1000 1');
