create table meta (
  key text primary key,
  value text not null
) strict, without rowid;

create table migration (
  version integer primary key,
  name text not null,
  applied_at integer not null
) strict;

create table board (
  slug text primary key,
  name text not null,
  description text not null,
  settings text not null,
  created_at integer not null,
  updated_at integer not null,
  archived_at integer
) strict;

create table task (
  board text not null references board (slug),
  id text not null primary key,
  title text not null check (title <> ''),
  body text,
  status text not null
    check (status in ('triage', 'todo', 'scheduled', 'ready', 'running', 'review', 'blocked', 'done', 'archived')),
  assignee text,
  priority integer not null,
  tenant text,
  session text,
  workflow text,
  step text,
  created_by text not null,
  created_by_run text,
  idempotency_key text,
  workspace_kind text not null check (workspace_kind in ('scratch', 'dir', 'worktree')),
  workspace_path text,
  workspace_repo text,
  workspace_state text not null check (workspace_state in ('none', 'live', 'sweeping', 'gone', 'kept')),
  branch text,
  skills text,
  model text,
  provider text,
  effort text,
  reviewer text,
  created_at integer not null,
  updated_at integer not null,
  started_at integer,
  completed_at integer,
  scheduled_at integer,
  current_run_id text,
  consecutive_failures integer not null check (consecutive_failures >= 0),
  protocol_violations integer not null check (protocol_violations >= 0),
  review_failures integer not null check (review_failures >= 0),
  rate_limits integer not null check (rate_limits >= 0),
  last_error text,
  breaker_open integer not null check (breaker_open in (0, 1)),
  attempts_since integer not null,
  block_kind text
    check (block_kind in ('needs_input', 'capability', 'transient', 'dependency', 'review', 'breaker', 'budget', 'attempts')),
  block_reason text,
  blocked_by text,
  recent_blocks text not null,
  resume_status text check (resume_status = 'review'),
  held integer not null check (held in (0, 1)),
  open_parents integer not null check (open_parents >= 0),
  cooldown_until integer,
  cooldown_reason text check (cooldown_reason in ('retry', 'rate_limit')),
  guard_until integer,
  guard_reason text check (guard_reason in ('recent_success', 'active_pr')),
  pull_request_at integer,
  commands_approved integer not null check (commands_approved in (0, 1)),
  due_at integer,
  rank integer not null,
  max_runtime_ms integer,
  max_retries integer check (max_retries >= 1),
  goal text,
  checks text not null,
  result text,
  metadata text,
  archived_from text,
  deleted_at integer,
  deleted_by text,
  check ((status = 'running') = (current_run_id is not null)),
  unique (board, id)
) strict;

create unique index task_idempotency on task (board, idempotency_key) where idempotency_key is not null;
create index task_ready on task (board, assignee, rank, id)
  where status = 'ready' and held = 0 and commands_approved = 1 and due_at is null and deleted_at is null;
create index task_review on task (board, reviewer, rank, id)
  where status = 'review' and held = 0 and breaker_open = 0 and due_at is null and deleted_at is null;
create index task_due on task (due_at, id) where due_at is not null;
create index task_column on task (board, status, priority desc, created_at, id) where deleted_at is null;
create index task_open on task (board, priority desc, created_at, id)
  where deleted_at is null and status <> 'archived';
create index task_trash on task (deleted_at) where deleted_at is not null;
create index task_directory on task (workspace_path) where status = 'running' and workspace_kind = 'dir';

create table link (
  board text not null,
  parent_id text not null,
  child_id text not null,
  created_at integer not null,
  waived_by text,
  waived_at integer,
  primary key (board, parent_id, child_id),
  foreign key (board, parent_id) references task (board, id),
  foreign key (board, child_id) references task (board, id),
  check (parent_id <> child_id)
) strict, without rowid;

create index link_child on link (board, child_id, parent_id);

create table run (
  board text not null,
  id text not null primary key,
  task_id text not null,
  attempt integer not null check (attempt >= 1),
  phase text not null check (phase in ('work', 'review', 'check')),
  kind text not null check (kind in ('agent', 'manual')),
  agent text,
  account text,
  machine text,
  from_status text not null,
  token_hash text,
  claimed_by text not null,
  dispatcher text,
  identity text,
  started_at integer not null,
  start_deadline_at integer,
  registered_at integer,
  lease_until integer,
  last_activity_at integer,
  note text,
  max_runtime_ms integer,
  terminating_at integer,
  terminating_reason text,
  parent_reopened_at integer,
  probe integer not null check (probe in (0, 1)),
  verdict text,
  verdict_at integer,
  checks text,
  intent text,
  ended_at integer,
  outcome text,
  summary text,
  metadata text,
  error text,
  exit_code integer,
  signal text,
  usage text,
  log_path text,
  socket_path text,
  lib_version text,
  unique (board, task_id, attempt),
  foreign key (board, task_id) references task (board, id),
  check ((ended_at is null) = (outcome is null))
) strict;

create unique index run_open on run (board, task_id) where ended_at is null;
create index run_finished on run (board, agent, ended_at desc, id desc) where outcome = 'completed';

create table comment (
  seq integer primary key autoincrement,
  board text not null,
  id text not null unique,
  task_id text not null,
  author text not null,
  run_id text,
  body text not null,
  created_at integer not null,
  foreign key (board, task_id) references task (board, id)
) strict;

create index comment_task on comment (board, task_id, seq);

create table attachment (
  seq integer primary key autoincrement,
  board text not null,
  id text not null unique,
  task_id text not null,
  filename text not null,
  stored_path text not null,
  content_type text,
  size integer not null check (size >= 0),
  sha256 text,
  uploaded_by text not null,
  run_id text,
  created_at integer not null,
  foreign key (board, task_id) references task (board, id)
) strict;

create index attachment_task on attachment (board, task_id, seq);

-- No foreign key to task, because events are kept after their card is purged.
create table event (
  id integer primary key autoincrement,
  board text not null,
  kind text not null,
  task_id text,
  run_id text,
  actor text not null,
  created_at integer not null,
  data text not null
) strict;

create index event_task on event (board, task_id, id);

create table slot (
  kind text not null check (kind in ('machine', 'board', 'agent', 'account')),
  name text not null,
  paused_at integer,
  paused_by text,
  pause_reason text,
  primary key (kind, name)
) strict, without rowid;

create table account (
  name text primary key,
  pause_cause text check (pause_cause in ('quota', 'auth', 'person')),
  paused_until integer,
  paused_by text,
  pause_reason text,
  strikes integer not null check (strikes >= 0),
  reopened_at integer,
  probe_run_id text,
  updated_at integer not null
) strict, without rowid;

create table dispatcher (
  machine text primary key,
  token_hash text not null,
  identity text not null,
  since integer not null,
  lease_until integer not null
) strict, without rowid;

-- The statistics of a large board: the number of rows, then the rows for each value of each leading part of an index.
-- Without them, SQLite assumes that the first column of an index is selective. But the first column is the board, so
-- each claim would read all links of its board.
analyze sqlite_schema;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('task', 'sqlite_autoindex_task_1', '1000000 1'),
  ('task', 'sqlite_autoindex_task_2', '1000000 1000000 1'),
  ('task', 'task_idempotency', '100000 100000 1'),
  ('task', 'task_ready', '10000 10000 1000 1 1'),
  ('task', 'task_review', '1000 1000 100 1 1'),
  ('task', 'task_due', '10000 1 1'),
  ('task', 'task_column', '1000000 1000000 100000 10000 1 1'),
  ('task', 'task_open', '900000 900000 100000 1 1'),
  ('task', 'task_trash', '1000 1'),
  ('task', 'task_directory', '10 1'),
  ('link', 'link', '1000000 1000000 3 1'),
  ('link', 'link_child', '1000000 1000000 3 1'),
  ('run', 'sqlite_autoindex_run_1', '2000000 1'),
  ('run', 'sqlite_autoindex_run_2', '2000000 2000000 2 1'),
  ('run', 'run_open', '20 20 1'),
  ('run', 'run_finished', '1000000 1000000 10000 1 1'),
  ('comment', 'sqlite_autoindex_comment_1', '1000000 1'),
  ('comment', 'comment_task', '1000000 1000000 3 1'),
  ('attachment', 'sqlite_autoindex_attachment_1', '1000000 1'),
  ('attachment', 'attachment_task', '1000000 1000000 3 1'),
  ('event', 'event_task', '9000000 9000000 9 1');
