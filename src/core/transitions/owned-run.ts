import type { Refused, ScopeRows } from '../decision.ts'
import { owns } from '../limits/lease.ts'
import type { Fence, Run } from '../run.ts'
import type { Task } from '../task.ts'
import { superseded, supersededWithoutCard } from './guards.ts'

export interface OwnedRun {
  readonly task: Task
  readonly run: Run
}

/** Returns the card and its run if the caller owns the run. Otherwise refuses the change and records it. */
export function ownedRun(
  rows: ScopeRows,
  input: { task: Task['id']; fence: Fence },
  write: { verb: string; content: unknown },
): OwnedRun | Refused {
  const task = rows.tasks.get(input.task)
  if (task === undefined) return supersededWithoutCard(input.task, { fence: input.fence, ...write })
  const run = rows.runs.get(task.id)
  return owns(run, input.fence) ? { task, run } : superseded(task, { fence: input.fence, ...write })
}
