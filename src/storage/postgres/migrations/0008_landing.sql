-- What a run changed in its worktree, and where the work of a card landed; both JSON.
alter table run add column changes text collate "C";

alter table task add column landed text collate "C";
