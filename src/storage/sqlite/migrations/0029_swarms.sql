-- The swarm of a card, its role there, and how often in a row its verifier has requested changes.
alter table task add column swarm text;
alter table task add column swarm_role text;
alter table task add column rejections integer not null default 0 check (rejections >= 0);
create index task_swarm on task (swarm) where swarm is not null;

-- The blackboard of a swarm: one entry per key, with its last writer.
create table blackboard (
  board text not null,
  root text not null,
  key text not null,
  value text not null,
  author text not null,
  run_id text,
  written_at integer not null,
  primary key (root, key)
) strict, without rowid;

insert into sqlite_stat1 (tbl, idx, stat) values ('task', 'task_swarm', '1000000 8');
