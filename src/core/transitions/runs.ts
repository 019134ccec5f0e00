/** Opens and closes runs. No other file builds the row of a run. */
import type { Change } from '../decision.ts'
import type { RunId } from '../ids.ts'
import type { Run, RunPatch } from '../run.ts'
import type { Task } from '../task.ts'
import type { Outcome } from '../vocabulary.ts'

type Ended = Partial<
  Pick<RunPatch, 'summary' | 'metadata' | 'error' | 'exitCode' | 'signal' | 'usage' | 'changes' | 'logPath'>
>

export const closeRun = (run: Run, outcome: Outcome, now: number, ended: Ended = {}): Change => ({
  op: 'update_run',
  taskId: run.taskId,
  patch: { ...ended, outcome, endedAt: Math.max(now, run.startedAt) },
})

export const blankRun = (
  task: Task,
  { id, attempt, now, claimedBy }: { id: RunId; attempt: number; now: number; claimedBy: string },
): Run => ({
  board: task.board,
  id,
  taskId: task.id,
  attempt,
  phase: task.status === 'review' ? 'review' : 'work',
  kind: 'agent',
  agent: task.assignee,
  account: null,
  machine: null,
  fromStatus: task.status,
  tokenHash: null,
  claimedBy,
  dispatcher: null,
  identity: null,
  startedAt: now,
  startDeadlineAt: null,
  registeredAt: null,
  leaseUntil: null,
  lastActivityAt: null,
  note: null,
  maxRuntimeMs: null,
  terminatingAt: null,
  terminatingReason: null,
  parentReopenedAt: null,
  probe: false,
  verdict: null,
  verdictAt: null,
  checks: null,
  goal: null,
  intent: null,
  endedAt: null,
  outcome: null,
  summary: null,
  metadata: null,
  error: null,
  exitCode: null,
  signal: null,
  usage: null,
  changes: null,
  logPath: null,
  socketPath: null,
  libVersion: null,
})

/** A run that starts and ends at the same time. It stores the hand-off of a card that was finished without a claim. */
export const syntheticRun = (
  task: Task,
  how: { id: RunId; attempt: number; now: number; by: string; outcome: Outcome },
  handOff: Pick<Run, 'summary' | 'metadata'> & Partial<Pick<Run, 'changes' | 'usage' | 'machine' | 'dispatcher'>>,
): Change => ({
  op: 'insert_run',
  row: {
    ...blankRun(task, { id: how.id, attempt: how.attempt, now: how.now, claimedBy: how.by }),
    ...handOff,
    kind: 'manual',
    agent: null,
    outcome: how.outcome,
    endedAt: how.now,
  },
})
