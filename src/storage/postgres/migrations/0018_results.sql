-- The usage of ended runs, by time: tokens and cost of the last days.
create index run_usage on run (board, ended_at) where usage is not null;
