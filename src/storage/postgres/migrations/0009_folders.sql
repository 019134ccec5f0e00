-- The id and the host name of the machine that has the files of a card.
alter table task add column workspace_machine text collate "C";

alter table task add column workspace_host text collate "C";

-- The card whose folder this card works in.
alter table task add column workspace_owner text collate "C";

-- The process that is removing the folder.
alter table task add column workspace_sweeper text collate "C";

create index task_branch on task (branch, workspace_repo) where workspace_kind = 'worktree' and branch is not null;

create index task_owner on task (board, workspace_owner) where workspace_owner is not null;
