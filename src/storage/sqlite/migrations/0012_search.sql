-- An index of three-character sequences (trigrams) in titles and bodies. A search reads candidates from the index and
-- then compares their texts. So the index may return too many cards, but never too few.

-- The index has its own integer keys, because VACUUM may renumber the row ids of a table without an integer key.
create table task_text (
  key integer primary key,
  id text not null unique,
  -- Texts over 16 kB are not indexed, so that writing them stays cheap. A search compares each of them.
  is_long integer not null check (is_long in (0, 1))
) strict;

create index task_text_long on task_text (id) where is_long = 1;

create virtual table task_search using fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);

insert into task_text (id, is_long)
select id, octet_length(title) + octet_length(coalesce(body, '')) > 16384 from task;

insert into task_search (rowid, text)
select task_text.key, task.title || char(10) || coalesce(task.body, '') from task_text join task using (id)
where task_text.is_long = 0 order by task_text.key;

create trigger task_text_insert after insert on task begin
  insert into task_text (id, is_long)
  values (new.id, octet_length(new.title) + octet_length(coalesce(new.body, '')) > 16384);
  insert into task_search (rowid, text)
  select key, new.title || char(10) || coalesce(new.body, '') from task_text where id = new.id and is_long = 0;
end;

create trigger task_text_delete after delete on task begin
  delete from task_search where rowid = (select key from task_text where id = old.id);
  delete from task_text where id = old.id;
end;

create trigger task_text_update after update of title, body on task begin
  delete from task_search where rowid = (select key from task_text where id = old.id);
  insert into task_text (id, is_long)
  values (new.id, octet_length(new.title) + octet_length(coalesce(new.body, '')) > 16384)
  on conflict (id) do update set is_long = excluded.is_long;
  insert into task_search (rowid, text)
  select key, new.title || char(10) || coalesce(new.body, '') from task_text where id = new.id and is_long = 0;
end;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('task_text', 'sqlite_autoindex_task_text_1', '1000000 1'),
  ('task_text', 'task_text_long', '1000 1');
