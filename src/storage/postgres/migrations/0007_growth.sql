-- The cards that a run created: counted whenever it creates another.
create index task_created_by_run on task (created_by_run) where created_by_run is not null;

-- The first page of a board by title.
create index task_title on task (board, title, id) where deleted_at is null and status <> 'archived';

-- Directories and repositories that cards name: each is one seek, however many cards name it.
create index task_named_directory on task (workspace_path)
  where workspace_kind = 'dir' and workspace_path is not null and deleted_at is null and status <> 'archived';
create index task_named_repository on task (workspace_repo)
  where workspace_kind = 'worktree' and workspace_repo is not null and deleted_at is null and status <> 'archived';
