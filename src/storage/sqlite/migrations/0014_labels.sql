-- The labels of a card, as JSON. The table `card_value` has a row for each label, so that cards are found by label
-- without reading the board. Triggers keep this table up to date.
alter table task add column labels text not null default '[]';

create table card_value (
  board text not null,
  field text not null,
  value text not null,
  task_id text not null,
  primary key (board, field, value, task_id)
) strict, without rowid;

create index card_value_task on card_value (board, task_id);

create trigger task_labels after insert on task when new.labels <> '[]' begin
  insert into card_value (board, field, value, task_id)
  select new.board, 'labels', value, new.id from json_each(new.labels);
end;

create trigger task_labels_update after update of labels on task when old.labels <> new.labels begin
  delete from card_value where board = old.board and task_id = old.id and field = 'labels';
  insert into card_value (board, field, value, task_id)
  select new.board, 'labels', value, new.id from json_each(new.labels);
end;

create trigger task_labels_delete after delete on task when old.labels <> '[]' begin
  delete from card_value where board = old.board and task_id = old.id and field = 'labels';
end;
