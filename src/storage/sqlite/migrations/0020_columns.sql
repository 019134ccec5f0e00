-- An index to read the unfinished cards of a column in the order in which they start. Most cards of a board are
-- finished, and the index leaves these out. Its condition is written so that a planner uses the index only for queries
-- with the same condition: queries that name one of the other statuses have their own, smaller indexes.
create index task_place on task (board, status, rank, id)
  where (status = 'done' or status = 'archived') is not true and deleted_at is null;

insert into sqlite_stat1 (tbl, idx, stat) values ('task', 'task_place', '100000 100000 20000 1 1');
