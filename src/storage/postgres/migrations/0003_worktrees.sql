-- The commit from which the work in a worktree started, and the branch of that commit.
alter table task add column workspace_base text collate "C";

alter table task add column workspace_base_branch text collate "C";
