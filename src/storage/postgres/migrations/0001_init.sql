create table meta (
  key text collate "C" primary key,
  value text collate "C" not null
);

create table migration (
  version bigint primary key,
  name text collate "C" not null,
  applied_at bigint not null
);

create table board (
  slug text collate "C" primary key,
  name text collate "C" not null,
  description text collate "C" not null,
  settings text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  archived_at bigint
);

create table task (
  board text collate "C" not null references board (slug),
  id text collate "C" not null primary key,
  title text collate "C" not null check (title <> ''),
  body text collate "C",
  status text collate "C" not null
    check (status in ('triage', 'todo', 'scheduled', 'ready', 'running', 'review', 'blocked', 'done', 'archived')),
  assignee text collate "C",
  priority bigint not null,
  tenant text collate "C",
  session text collate "C",
  workflow text collate "C",
  step text collate "C",
  created_by text collate "C" not null,
  created_by_run text collate "C",
  idempotency_key text collate "C",
  workspace_kind text collate "C" not null check (workspace_kind in ('scratch', 'dir', 'worktree')),
  workspace_path text collate "C",
  workspace_repo text collate "C",
  workspace_state text collate "C" not null check (workspace_state in ('none', 'live', 'sweeping', 'gone', 'kept')),
  branch text collate "C",
  skills text collate "C",
  model text collate "C",
  provider text collate "C",
  effort text collate "C",
  reviewer text collate "C",
  created_at bigint not null,
  updated_at bigint not null,
  started_at bigint,
  completed_at bigint,
  scheduled_at bigint,
  current_run_id text collate "C",
  consecutive_failures bigint not null check (consecutive_failures >= 0),
  protocol_violations bigint not null check (protocol_violations >= 0),
  review_failures bigint not null check (review_failures >= 0),
  rate_limits bigint not null check (rate_limits >= 0),
  last_error text collate "C",
  breaker_open bigint not null check (breaker_open in (0, 1)),
  attempts_since bigint not null,
  block_kind text collate "C"
    check (block_kind in ('needs_input', 'capability', 'transient', 'dependency', 'review', 'breaker', 'budget', 'attempts')),
  block_reason text collate "C",
  blocked_by text collate "C",
  recent_blocks text collate "C" not null,
  resume_status text collate "C" check (resume_status = 'review'),
  held bigint not null check (held in (0, 1)),
  open_parents bigint not null check (open_parents >= 0),
  cooldown_until bigint,
  cooldown_reason text collate "C" check (cooldown_reason in ('retry', 'rate_limit')),
  guard_until bigint,
  guard_reason text collate "C" check (guard_reason in ('recent_success', 'active_pr')),
  pull_request_at bigint,
  commands_approved bigint not null check (commands_approved in (0, 1)),
  due_at bigint,
  rank bigint not null,
  max_runtime_ms bigint,
  max_retries bigint check (max_retries >= 1),
  goal text collate "C",
  checks text collate "C" not null,
  result text collate "C",
  metadata text collate "C",
  archived_from text collate "C",
  deleted_at bigint,
  deleted_by text collate "C",
  check ((status = 'running') = (current_run_id is not null)),
  unique (board, id)
);

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
  board text collate "C" not null,
  parent_id text collate "C" not null,
  child_id text collate "C" not null,
  created_at bigint not null,
  waived_by text collate "C",
  waived_at bigint,
  primary key (board, parent_id, child_id),
  foreign key (board, parent_id) references task (board, id),
  foreign key (board, child_id) references task (board, id),
  check (parent_id <> child_id)
);

create index link_child on link (board, child_id, parent_id);

create table run (
  board text collate "C" not null,
  id text collate "C" not null primary key,
  task_id text collate "C" not null,
  attempt bigint not null check (attempt >= 1),
  phase text collate "C" not null check (phase in ('work', 'review', 'check')),
  kind text collate "C" not null check (kind in ('agent', 'manual')),
  agent text collate "C",
  account text collate "C",
  machine text collate "C",
  from_status text collate "C" not null,
  token_hash text collate "C",
  claimed_by text collate "C" not null,
  dispatcher text collate "C",
  identity text collate "C",
  started_at bigint not null,
  start_deadline_at bigint,
  registered_at bigint,
  lease_until bigint,
  last_activity_at bigint,
  note text collate "C",
  max_runtime_ms bigint,
  terminating_at bigint,
  terminating_reason text collate "C",
  parent_reopened_at bigint,
  probe bigint not null check (probe in (0, 1)),
  verdict text collate "C",
  verdict_at bigint,
  checks text collate "C",
  intent text collate "C",
  ended_at bigint,
  outcome text collate "C",
  summary text collate "C",
  metadata text collate "C",
  error text collate "C",
  exit_code bigint,
  signal text collate "C",
  usage text collate "C",
  log_path text collate "C",
  socket_path text collate "C",
  lib_version text collate "C",
  unique (board, task_id, attempt),
  foreign key (board, task_id) references task (board, id),
  check ((ended_at is null) = (outcome is null))
);

create unique index run_open on run (board, task_id) where ended_at is null;
create index run_finished on run (board, agent, ended_at desc, id desc) where outcome = 'completed';

create table comment (
  seq bigint generated always as identity primary key,
  board text collate "C" not null,
  id text collate "C" not null unique,
  task_id text collate "C" not null,
  author text collate "C" not null,
  run_id text collate "C",
  body text collate "C" not null,
  created_at bigint not null,
  foreign key (board, task_id) references task (board, id)
);

create index comment_task on comment (board, task_id, seq);

create table attachment (
  seq bigint generated always as identity primary key,
  board text collate "C" not null,
  id text collate "C" not null unique,
  task_id text collate "C" not null,
  filename text collate "C" not null,
  stored_path text collate "C" not null,
  content_type text collate "C",
  size bigint not null check (size >= 0),
  sha256 text collate "C",
  uploaded_by text collate "C" not null,
  run_id text collate "C",
  created_at bigint not null,
  foreign key (board, task_id) references task (board, id)
);

create index attachment_task on attachment (board, task_id, seq);

-- No foreign key to task, because events are kept after their card is purged.
create table event (
  id bigint primary key,
  board text collate "C" not null,
  kind text collate "C" not null,
  task_id text collate "C",
  run_id text collate "C",
  actor text collate "C" not null,
  created_at bigint not null,
  data text collate "C" not null
);

create index event_task on event (board, task_id, id);

-- The last feed id in use. It is raised by the last statement before the commit, so that ids become visible in order.
create table feed (
  only_row boolean primary key default true check (only_row),
  last_id bigint not null
);

insert into feed (last_id) values (0);

create table slot (
  kind text collate "C" not null check (kind in ('machine', 'board', 'agent', 'account')),
  name text collate "C" not null,
  paused_at bigint,
  paused_by text collate "C",
  pause_reason text collate "C",
  primary key (kind, name)
);

create table account (
  name text collate "C" primary key,
  pause_cause text collate "C" check (pause_cause in ('quota', 'auth', 'person')),
  paused_until bigint,
  paused_by text collate "C",
  pause_reason text collate "C",
  strikes bigint not null check (strikes >= 0),
  reopened_at bigint,
  probe_run_id text collate "C",
  updated_at bigint not null
);

create table dispatcher (
  machine text collate "C" primary key,
  token_hash text collate "C" not null,
  identity text collate "C" not null,
  since bigint not null,
  lease_until bigint not null
);
