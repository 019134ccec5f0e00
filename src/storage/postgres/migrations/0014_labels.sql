-- The labels of a card, as JSON. The table `card_value` has a row for each label, so that cards are found by label
-- without reading the board. Triggers keep this table up to date.
alter table task add column labels text collate "C" not null default '[]';

create table card_value (
  board text collate "C" not null,
  field text collate "C" not null,
  value text collate "C" not null,
  task_id text collate "C" not null,
  primary key (board, field, value, task_id)
);

create index card_value_task on card_value (board, task_id);

create function list_labels() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    delete from card_value where board = old.board and task_id = old.id and field = 'labels';
  end if;
  if tg_op <> 'DELETE' then
    insert into card_value (board, field, value, task_id)
    select new.board, 'labels', value, new.id from jsonb_array_elements_text(new.labels::jsonb);
  end if;
  return null;
end
$$;

create trigger task_labels after insert on task for each row when (new.labels <> '[]') execute function list_labels();

create trigger task_labels_update after update of labels on task for each row when (old.labels <> new.labels)
execute function list_labels();

create trigger task_labels_delete after delete on task for each row when (old.labels <> '[]')
execute function list_labels();
