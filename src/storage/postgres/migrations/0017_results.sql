-- The usage of ended runs by time, to sum tokens and cost of the last days.
create index run_usage on run (board, ended_at) where usage is not null;

-- The branch, tag or commit from which the worktree of a card starts. Null means the current commit of the repository.
alter table task add column base text collate "C";

-- An index of trigrams in comments and results, like the index of titles and bodies. Each text has its own entry, so
-- that the cost of a new comment does not grow with its card.
create table note_text (
  -- The id of the comment; for a result, the id of the card.
  id text collate "C" primary key,
  task_id text collate "C" not null,
  grams integer[]
);

lock table comment in share row exclusive mode;

insert into note_text (id, task_id, grams) select id, task_id, grams_of(body, null) from comment;

insert into note_text (id, task_id, grams) select id, id, grams_of(result, null) from task where result is not null;

create index note_text_grams on note_text using gin (grams) with (fastupdate = on, gin_pending_list_limit = 512);

create index note_text_long on note_text (task_id) where grams is null;

create function index_comment() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    delete from note_text where id = old.id;
  else
    insert into note_text (id, task_id, grams) values (new.id, new.task_id, grams_of(new.body, null));
  end if;
  return null;
end
$$;

create trigger comment_text after insert or delete on comment for each row execute function index_comment();

create function index_result() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' or new.result is null then
    delete from note_text where id = old.id;
  else
    insert into note_text (id, task_id, grams) values (new.id, new.id, grams_of(new.result, null))
    on conflict (id) do update set grams = excluded.grams;
  end if;
  return null;
end
$$;

create trigger result_text after insert on task for each row when (new.result is not null)
execute function index_result();

create trigger result_text_update after update of result on task for each row
when (old.result is distinct from new.result) execute function index_result();

create trigger result_text_delete after delete on task for each row when (old.result is not null)
execute function index_result();

create function notes_with_grams(wanted integer[], most integer) returns table (id text) language sql stable
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off set search_path from current as $$
  select note_text.task_id from note_text where grams @> wanted limit most
$$;
