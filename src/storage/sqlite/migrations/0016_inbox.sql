-- The items that a person hid from the inbox. An item stays hidden until its card or account changes (`version`).
create table inbox_mark (
  kind text not null,
  name text not null,
  -- Empty for an account.
  board text not null,
  version integer not null,
  -- Null means that the item stays hidden until it changes.
  hidden_until integer,
  marked_by text not null,
  marked_at integer not null,
  primary key (kind, name)
) strict, without rowid;

-- Indexes to read the cards that wait for a person in the order of their rank, without reading the board. No index
-- contains the time of the last change. Otherwise each update of a card on PostgreSQL would write to every index.
create index task_blocked on task (board, block_kind, rank, id) where status = 'blocked' and deleted_at is null;
create index task_triage on task (board, rank, id) where status = 'triage' and deleted_at is null;
create index task_unapproved on task (board, rank, id)
  where commands_approved = 0 and status in ('ready', 'review') and deleted_at is null;
create index task_person_review on task (board, breaker_open, rank, id)
  where status = 'review' and (breaker_open = 1 or reviewer is null) and deleted_at is null;
create index task_unlanded on task (board, rank, id)
  where status = 'done' and workspace_kind = 'worktree' and workspace_state in ('live', 'kept') and landed is null
    and deleted_at is null;

-- An index to list and count the cards that finished recently.
create index task_finished on task (board, completed_at, id) where status = 'done' and deleted_at is null;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('inbox_mark', 'inbox_mark', '1000 500 1'),
  ('task', 'task_blocked', '10000 10000 1000 1 1'),
  ('task', 'task_triage', '1000 1000 1 1'),
  ('task', 'task_unapproved', '1000 1000 1 1'),
  ('task', 'task_person_review', '1000 1000 500 1 1'),
  ('task', 'task_unlanded', '1000 1000 1 1'),
  ('task', 'task_finished', '900000 100000 1 1');
