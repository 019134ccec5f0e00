-- The id and the host name of the machine that has the files of a card.
alter table task add column workspace_machine text;

alter table task add column workspace_host text;

-- The card whose folder this card works in.
alter table task add column workspace_owner text;

-- The process that is removing the folder.
alter table task add column workspace_sweeper text;

create index task_branch on task (branch, workspace_repo) where workspace_kind = 'worktree' and branch is not null;

create index task_owner on task (board, workspace_owner) where workspace_owner is not null;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('task', 'task_branch', '100000 2 1'),
  ('task', 'task_owner', '10000 10000 2');
