-- An index to count how the runs of the last days ended, for each agent.
create index run_ended on run (ended_at, agent, outcome) where ended_at is not null and kind = 'agent';
