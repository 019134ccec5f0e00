-- The tournament of a card as JSON, when it began to wait for a pick by a person, and the tournament of an entry.
alter table task add column tournament text collate "C";
alter table task add column pick_since bigint;
alter table task add column entry_of text collate "C";
-- The tournaments without a result, for the dispatcher and the judge.
create index task_tournament on task (board, id)
  where tournament is not null and status in ('todo', 'blocked') and deleted_at is null;
create index task_pick on task (board, rank, id)
  where status = 'todo' and pick_since is not null and deleted_at is null;
