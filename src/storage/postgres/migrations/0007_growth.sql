-- To count the cards of a run whenever it creates another.
create index task_created_by_run on task (created_by_run) where created_by_run is not null;

-- To read a page of a board, sorted by title.
create index task_title on task (board, title, id) where deleted_at is null and status <> 'archived';

-- To list the directories and repositories of cards with one seek for each, not for each card.
create index task_named_directory on task (workspace_path)
  where workspace_kind = 'dir' and workspace_path is not null and deleted_at is null and status <> 'archived';
create index task_named_repository on task (workspace_repo)
  where workspace_kind = 'worktree' and workspace_repo is not null and deleted_at is null and status <> 'archived';
