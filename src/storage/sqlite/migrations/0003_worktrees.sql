-- What the work in a worktree begins from: a commit, and the branch that this was on.
alter table task add column workspace_base text;

alter table task add column workspace_base_branch text;
