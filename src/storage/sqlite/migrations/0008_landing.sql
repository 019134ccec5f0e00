-- The changes of a run in its worktree, and the branch on which the work of a card landed. Both are JSON.
alter table run add column changes text;

alter table task add column landed text;
