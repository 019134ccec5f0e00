/** A board at a glance: card counts, live runs with their last output, and the last events. */
import type { BoardEvent } from '../../core/event.ts'
import type { Run } from '../../core/run.ts'
import type { Task } from '../../core/task.ts'
import type { Status } from '../../core/vocabulary.ts'
import type { Store } from '../../storage/store.ts'
import { lastOutputOf } from '../runs/last-output.ts'

export interface Overview {
  readonly now: number
  readonly counts: Readonly<Record<Status, number>>
  /** The longest-running card comes first. */
  readonly running: readonly Running[]
}

interface Running {
  readonly task: Task
  readonly run: Run
  /** The last note of the run, or its last output if the log is on this machine. */
  readonly lastOutput: string | null
}

type OverviewFilter = { readonly assignee?: string; readonly tenant?: string }

export async function overviewOf(
  store: Store,
  board: string,
  { assignee, tenant }: OverviewFilter = {},
): Promise<Overview> {
  const [now, counts, open] = await Promise.all([store.now(), store.counts(board), store.openRuns(null)])
  const runs = open.filter((run) => run.board === board)
  const tasks = new Map((await store.tasksById(runs.map(({ taskId }) => taskId))).map((task) => [task.id, task]))
  const running = await Promise.all(
    runs.map(async (run) => {
      const task = tasks.get(run.taskId)
      const isChosen = (assignee ?? task?.assignee) === task?.assignee && (tenant ?? task?.tenant) === task?.tenant
      return task === undefined || !isChosen ? [] : [{ task, run, lastOutput: await lastOutputOf(run) }]
    }),
  )
  return { now, counts, running: running.flat() }
}

/** The last events of a board, among the latest events of the store. */
export async function lastEvents(store: Store, board: string, count: number): Promise<readonly BoardEvent[]> {
  const { cursor } = await store.feed(null)
  const [epoch = '', last = '0'] = cursor.split(':')
  const { events } = await store.feed(`${epoch}:${Math.max(0, Number(last) - 10 * count)}`, 10 * count)
  return events.filter((event) => event.board === board).slice(-count)
}
