/**
 * Removing the folder of a card that is out of use. live → sweeping → gone, or kept, or live again: while it is
 * `sweeping` nobody starts, reopens or waits for the card, and no card after it comes back to be worked on, so the folder
 * can be taken away under nobody. A crash leaves it there, and the next sweep goes on. What a person may want and no copy
 * holds is `kept` until somebody says otherwise; what could not be copied just now stays `live`, for another time.
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

interface Swept {
  readonly id: TaskId
  readonly state: Workspace['state']
}

export const sweep = defineVerb({
  name: 'sweep',
  input: z.object({
    task: taskId,
    /** `defer`: only say for whom the folder waits. */
    stage: z.enum(['begin', 'defer', 'keep', 'postpone', 'end']),
    /** Also what was kept before: it has landed, or a person gave it up. */
    again: z.boolean().default(false),
    /** The process that removes the folder. Any other process is refused. */
    by: line.nullable().default(null),
    /** A process that began the removal and is known to be dead, or is overruled by a person. */
    over: line.nullable().default(null),
    /** Why it is kept, or postponed. */
    reason: text.default(''),
    /** The card's history says it already. */
    known: z.boolean().default(false),
    /** Where a copy of it lies. */
    snapshot: text.nullable().default(null),
  }),
  // No card after it begins to need it meanwhile: those verbs take the same lock.
  scope: ({ task, stage }) => ({ tasks: [task], graph: stage === 'begin' }),
  facts: ({ rows, input: { task } }) => {
    const row = rows.tasks.get(task)
    const pinned = (row && pinnedBranch(row)) ?? { repo: null, branch: null }
    return {
      waiting: { fact: 'unfinished_child' as const, parent: task },
      sharer: { fact: 'folder_user' as const, owner: task, ...pinned },
    }
  },
  decide: ({ rows, facts, input, actor }): Decision<Swept> => {
    // What was begun is ended also for a card that went into the trash meanwhile.
    const begun = rows.tasks.get(input.task) ?? noTask(input.task)
    const task = !isRefused(begun) && begun.workspace.state === 'sweeping' ? begun : findTask(rows, input.task)
    if (isRefused(task)) return task
    const { id } = task
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may not remove workspaces.', { id })
    if (isAnothers(task, input)) return sweptByAnother(task)
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

/** A folder that is gone belongs to no machine. */
const LEFT: Partial<Record<Workspace['state'], Partial<Workspace>>> = { gone: { machine: null, host: null } }

const to = ({ id, workspace }: Task, state: Workspace['state'], events: readonly EventDraft[] = []): Decision<Swept> =>
  accept(
    { id, state },
    {
      changes: [
        { op: 'update_task', id, patch: { workspace: { ...workspace, ...LEFT[state], state, sweeper: null } } },
      ],
      events,
    },
  )

const whileSweeping = (task: Task, state: 'gone' | 'kept' | 'live', events: readonly EventDraft[]): Decision<Swept> =>
  task.workspace.state === 'sweeping' ? to(task, state, events) : accept({ id: task.id, state: task.workspace.state })

interface Claim {
  readonly by: string | null
  readonly over: string | null
}

const isAnothers = ({ workspace: { state, sweeper } }: Task, { by, over }: Claim): boolean =>
  state === 'sweeping' && sweeper !== null && sweeper !== by && sweeper !== over

const sweptByAnother = ({ id }: Task): Refused =>
  refuse('workspace_sweeping', `Another process is removing the workspace of ${id}.`, { id })

const claimed = (task: Task, sweeper: string | null): Decision<Swept> => {
  const { id, workspace } = task
  const patch = { workspace: { ...workspace, state: 'sweeping' as const, sweeper } }
  return accept({ id, state: 'sweeping' }, { changes: [{ op: 'update_task', id, patch }] })
}

function begin(task: Task, waiting: TaskId | null, { again, by }: Claim & { again: boolean }): Decision<Swept> {
  const { id, status, workspace } = task
  if (workspace.kind === 'dir' || (workspace.state === 'kept' && !again))
    return refuse('not_allowed', `The workspace of ${id} is not the board's to remove.`, { id })
  if (workspace.state === 'sweeping') return claimed(task, by)
  if (!isSatisfied(status)) return wrongStatus(task, 'sweep', 'done or archived')
  if (waiting !== null)
    return refuse('wrong_status', `Card ${waiting} may still need the files of ${id}.`, { id, child: waiting })
  return claimed(task, by)
}
