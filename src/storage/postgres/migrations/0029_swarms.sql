-- The swarm of a card, its role there, and how often in a row its verifier has requested changes.
alter table task add column swarm text collate "C";
alter table task add column swarm_role text collate "C";
alter table task add column rejections bigint not null default 0;
create index task_swarm on task (swarm) where swarm is not null;

-- The blackboard of a swarm: one entry per key, with its last writer.
create table blackboard (
  board text collate "C" not null,
  root text collate "C" not null,
  key text collate "C" not null,
  value text collate "C" not null,
  author text collate "C" not null,
  run_id text collate "C",
  written_at bigint not null,
  primary key (root, key)
);
