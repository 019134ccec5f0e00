-- An index of the cards that a run created. They are counted whenever the run creates another card.
create index task_created_by_run on task (created_by_run) where created_by_run is not null;

-- An index to read a page of a board, sorted by title.
create index task_title on task (board, title, id) where deleted_at is null and status <> 'archived';

-- An index to list the directories and repositories of cards with one search for each path, not for each card.
create index task_named_directory on task (workspace_path)
  where workspace_kind = 'dir' and workspace_path is not null and deleted_at is null and status <> 'archived';
create index task_named_repository on task (workspace_repo)
  where workspace_kind = 'worktree' and workspace_repo is not null and deleted_at is null and status <> 'archived';
