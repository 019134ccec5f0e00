-- An index of three-byte sequences (trigrams) in titles and bodies. A search reads candidates from the index and then
-- compares their texts. So the index may return too many cards, but never too few. It needs no extension.

-- Returns null for texts over 16 kB, so that writing them stays cheap. A search compares each of these texts directly.
create function grams_of(title text, body text) returns integer[] language plpgsql immutable as $$
declare
  bytes bytea := convert_to(lower(title collate "C") || E'\n' || lower(coalesce(body, '') collate "C"), 'UTF8');
  size integer := length(bytes);
  grams integer[];
  gram integer;
begin
  if octet_length(title) + octet_length(coalesce(body, '')) > 16384 then
    return null;
  end if;
  if size < 3 then
    return '{}';
  end if;
  grams := array_fill(0, array[size - 2]);
  gram := get_byte(bytes, 0) << 8 | get_byte(bytes, 1);
  for at in 2 .. size - 1 loop
    gram := (gram << 8 | get_byte(bytes, at)) & 16777215;
    grams[at - 1] := gram;
  end loop;
  return array(select distinct unnest(grams));
end
$$;

-- The trigrams have their own table. Otherwise each change of a card's status would rewrite the index of its text.
create table task_text (
  id text collate "C" primary key,
  grams integer[]
);

lock table task in share row exclusive mode;

insert into task_text (id, grams) select id, grams_of(title, body) from task;

-- New entries wait in a pending list before they enter the index. The list must stay small, because every search scans
-- it.
create index task_text_grams on task_text using gin (grams) with (fastupdate = on, gin_pending_list_limit = 512);

create index task_text_long on task_text (id) where grams is null;

create function index_text() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    delete from task_text where id = old.id;
  else
    insert into task_text (id, grams) values (new.id, grams_of(new.title, new.body))
    on conflict (id) do update set grams = excluded.grams;
  end if;
  return null;
end
$$;

create trigger task_text after insert or delete on task for each row execute function index_text();

create trigger task_text_update after update of title, body on task for each row execute function index_text();

-- Finds cards by the index. For a query with a limit, the planner might scan the table instead, in the hope of an early
-- match.
create function cards_with_grams(wanted integer[], most integer) returns table (id text) language sql stable
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off set search_path from current as $$
  select task_text.id from task_text where grams @> wanted limit most
$$;
