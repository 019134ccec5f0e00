-- The usage of ended runs, by time: tokens and cost of the last days.
create index run_usage on run (board, ended_at) where usage is not null;

insert into sqlite_stat1 (tbl, idx, stat) values ('run', 'run_usage', '100000 100000 1');

-- The branch, tag or commit that the worktree of a card starts from; null: the commit that its repository is on.
alter table task add column base text;
