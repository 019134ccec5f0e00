import { runnerOf } from '../core/admission.ts'
import type { Reason } from '../core/admission.ts'
import type { Board } from '../core/board.ts'
import { BoardError } from '../core/errors.ts'
import { whyNotRunning } from '../core/why.ts'
import type { TaskView } from '../storage/store.ts'
import { thisHost } from '../workers/identity.ts'
import type { Host } from '../workers/identity.ts'
import { Preflight } from '../workers/preflight.ts'
import { readRoster } from '../workers/roster.ts'
import { takerOf, toApprove } from '../workers/to-approve.ts'
import { directoryOf } from '../workspaces/directory.ts'
import { isDispatched } from './is-dispatched.ts'
import { isOwnWork } from './is-own-work.ts'
import { defineOperation } from './operation.ts'
import type { BoardContext } from './operation.ts'
import { resolveTask } from './resolve-task.ts'

export const explainTask = defineOperation({
  name: 'why',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Say why a card is not running, and what clears each reason.',
  schemas: () => import('./explain-task.schema.ts'),
  run: async (context, { task: typed }) => {
    const { store } = context
    const { board: slug, id } = await resolveTask(store, typed, { deleted: true })
    const [task, board] = await Promise.all([store.task(slug, id, { deleted: true }), store.board(slug)])
    if (task === null || board === null)
      throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
    const reasons = await reasonsFor(context, task, board)
    return {
      task,
      reasons: reasons.map(({ gate, message, clears, until }) => ({ gate, message, clearedBy: clears, at: until })),
    }
  },
})

async function reasonsFor({ store, options }: BoardContext, task: TaskView, board: Board): Promise<readonly Reason[]> {
  const host = hostHere()
  // A blocked review goes back to its reviewer.
  const phase = task.status === 'review' || task.resumeStatus === 'review' ? 'review' : 'work'
  const ownWork = phase === 'review' && (await isOwnWork(store, task, board))
  const name = phase === 'review' ? runnerOf({ ...task, status: 'review' }, board, ownWork) : task.assignee
  const roster = await readRoster(options.home)
  const agent = name === null ? null : (roster.agents.get(name) ?? null)
  const [here, standing, dispatched, now] = await Promise.all([
    name === null ? [] : new Preflight(options.home).obstacles(task, { name, phase }, roster),
    store.standing(await whereItIs(task), {
      machine: host?.machine.id ?? null,
      agent: name,
      account: agent?.account ?? null,
    }),
    isDispatched(store, host),
    store.now(),
  ])
  return whyNotRunning({
    ...standing,
    ownWork,
    task,
    board,
    now,
    beyond: agent === null ? null : await toApprove(store, task, await takerOf(store, { task, agent, roster })),
    caps: { machine: options.machineCap, agent: agent?.maxConcurrent ?? null, account: null },
    here,
    isDispatched: dispatched,
  })
}

/** Two names of one directory are one. */
async function whereItIs(task: TaskView): Promise<TaskView> {
  const { workspace } = task
  return { ...task, workspace: { ...workspace, path: (await directoryOf(workspace)) ?? workspace.path } }
}

/** On a system where no agent can run, everything but its own part of the answer still holds. */
function hostHere(): Host | null {
  try {
    return thisHost()
  } catch {
    return null
  }
}
