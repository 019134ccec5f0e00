/**
 * Removes the folder of a finished card. The state goes from `live` to `sweeping`, then to `gone`, `kept` or back to
 * `live`. While the state is `sweeping`, the card cannot start, be reopened or get children, so no process uses the
 * folder. After a crash, the next sweep continues. A folder whose files have no copy becomes `kept`. A folder that
 * could not be copied stays `live`, and a later sweep tries again.
 */
import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Decision, Refused } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import { line, taskId, text } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { isSatisfied } from '../status.ts'
import type { Task, Workspace } from '../task.ts'
import { pinnedBranch } from '../gates/workspace-gates.ts'
import { findTask, isRefused, noTask, wrongStatus } from './guards.ts'

interface SweepResult {
  readonly id: TaskId
  readonly state: Workspace['state']
}

export const sweep = defineVerb({
  name: 'sweep',
  input: z.object({
    task: taskId,
    /** The stage of the removal. `defer` only records which child still needs the folder. */
    stage: z.enum(['begin', 'defer', 'keep', 'postpone', 'end']),
    /**
     * Whether to remove the folder even if its state is `kept`. This is allowed if its work has landed or a person
     * discarded it.
     */
    again: z.boolean().default(false),
    /** The id of the process that removes the folder. Calls by any other process are refused. */
    by: line.nullable().default(null),
    /** The id of the process that this process replaces. That process is dead, or a person overruled it. */
    over: line.nullable().default(null),
    /** Why the folder is kept, or why the sweep is postponed. */
    reason: text.default(''),
    /** Whether the history already contains this reason. If so, no second event is written. */
    known: z.boolean().default(false),
    /** The place of the snapshot: an archive path, a git ref, or both. */
    snapshot: text.nullable().default(null),
  }),
  // Another command could make a child need the folder again. Such commands lock the graph too, so none of them can run
  // while a removal begins.
  scope: ({ task, stage }) => ({ tasks: [task], graph: stage === 'begin' }),
  facts: ({ rows, input: { task } }) => {
    const row = rows.tasks.get(task)
    const pinned = (row && pinnedBranch(row)) ?? { repo: null, branch: null }
    return {
      waiting: { fact: 'unfinished_child' as const, parent: task },
      sharer: { fact: 'folder_user' as const, owner: task, ...pinned },
    }
  },
  decide: ({ rows, facts, input, actor }): Decision<SweepResult> => {
    // If the card was deleted during the removal, the removal must still end.
    const begun = rows.tasks.get(input.task) ?? noTask(input.task)
    const task = !isRefused(begun) && begun.workspace.state === 'sweeping' ? begun : findTask(rows, input.task)
    if (isRefused(task)) return task
    const { id } = task
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may not remove workspaces.', { id })
    if (isSweptByAnother(task, input)) return sweepTaken(task)
    switch (input.stage) {
      case 'end':
        return whileSweeping(task, 'gone', [
          { kind: 'workspace_swept', taskId: id, data: { snapshot: input.snapshot } },
        ])
      case 'keep':
        return whileSweeping(task, 'kept', [{ kind: 'workspace_kept', taskId: id, data: { reason: input.reason } }])
      case 'postpone':
        return whileSweeping(
          task,
          'live',
          input.known ? [] : [{ kind: 'workspace_kept', taskId: id, data: { reason: input.reason } }],
        )
      case 'defer':
        return facts.waiting === null
          ? accept({ id, state: task.workspace.state })
          : accept(
              { id, state: task.workspace.state },
              { events: [{ kind: 'sweep_deferred', taskId: id, data: { child: facts.waiting } }] },
            )
      case 'begin':
        return begin(task, facts.waiting ?? facts.sharer, input)
    }
  },
})

/** The fields that change with the state. If the folder is gone, the card is bound to no machine. */
const CLEARED: Partial<Record<Workspace['state'], Partial<Workspace>>> = { gone: { machine: null, host: null } }

const setState = (
  { id, workspace }: Task,
  state: Workspace['state'],
  events: readonly EventDraft[] = [],
): Decision<SweepResult> =>
  accept(
    { id, state },
    {
      changes: [
        { op: 'update_task', id, patch: { workspace: { ...workspace, ...CLEARED[state], state, sweeper: null } } },
      ],
      events,
    },
  )

const whileSweeping = (
  task: Task,
  state: 'gone' | 'kept' | 'live',
  events: readonly EventDraft[],
): Decision<SweepResult> =>
  task.workspace.state === 'sweeping'
    ? setState(task, state, events)
    : accept({ id: task.id, state: task.workspace.state })

interface Sweeper {
  readonly by: string | null
  readonly over: string | null
}

const isSweptByAnother = ({ workspace: { state, sweeper } }: Task, { by, over }: Sweeper): boolean =>
  state === 'sweeping' && sweeper !== null && sweeper !== by && sweeper !== over

const sweepTaken = ({ id }: Task): Refused =>
  refuse('workspace_sweeping', `Another process is removing the workspace of ${id}.`, { id })

const startSweep = (task: Task, sweeper: string | null): Decision<SweepResult> => {
  const { id, workspace } = task
  const patch = { workspace: { ...workspace, state: 'sweeping' as const, sweeper } }
  return accept({ id, state: 'sweeping' }, { changes: [{ op: 'update_task', id, patch }] })
}

function begin(task: Task, waiting: TaskId | null, { again, by }: Sweeper & { again: boolean }): Decision<SweepResult> {
  const { id, status, workspace } = task
  if (workspace.kind === 'dir' || (workspace.state === 'kept' && !again))
    return refuse(
      'not_allowed',
      `Muster does not remove the workspace of ${id}, because it is your directory or was kept.`,
      { id },
    )
  if (workspace.state === 'sweeping') return startSweep(task, by)
  if (!isSatisfied(status)) return wrongStatus(task, 'sweep', 'done or archived')
  if (waiting !== null)
    return refuse('wrong_status', `Card ${waiting} may still need the files of ${id}.`, { id, child: waiting })
  return startSweep(task, by)
}
