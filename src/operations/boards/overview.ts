/** A board at a glance: how many cards stand where, what runs now and what it said last, what happened last. */
import type { BoardEvent } from '../../core/event.ts'
import type { Run } from '../../core/run.ts'
import type { Task } from '../../core/task.ts'
import type { Status } from '../../core/vocabulary.ts'
import type { Store } from '../../storage/store.ts'
import { readLastLine } from '../../supervisor/turns/last-output.ts'

export interface Overview {
  readonly now: number
  readonly counts: Readonly<Record<Status, number>>
  /** Those that have run longest first. */
  readonly running: readonly Running[]
}

interface Running {
  readonly task: Task
  readonly run: Run
  /** Its last note, or what it printed last where that can be read here. */
  readonly said: string | null
}

type Whose = { readonly assignee?: string; readonly tenant?: string }

export async function overviewOf(store: Store, board: string, { assignee, tenant }: Whose = {}): Promise<Overview> {
  const [now, counts, open] = await Promise.all([store.now(), store.counts(board), store.openRuns(null)])
  const runs = open.filter((run) => run.board === board)
  const tasks = new Map((await store.tasksById(runs.map(({ taskId }) => taskId))).map((task) => [task.id, task]))
  const running = await Promise.all(
    runs.map(async (run) => {
      const task = tasks.get(run.taskId)
      const isAsked = (assignee ?? task?.assignee) === task?.assignee && (tenant ?? task?.tenant) === task?.tenant
      return task === undefined || !isAsked ? [] : [{ task, run, said: await lastWordsOf(run) }]
    }),
  )
  return { now, counts, running: running.flat() }
}

async function lastWordsOf({ note, logPath }: Run): Promise<string | null> {
  return note !== null || logPath === null ? note : readLastLine(logPath)
}

/** The last events of a board among the last few of the store. */
export async function lastEvents(store: Store, board: string, count: number): Promise<readonly BoardEvent[]> {
  const { cursor } = await store.feed(null)
  const [epoch = '', last = '0'] = cursor.split(':')
  const { events } = await store.feed(`${epoch}:${Math.max(0, Number(last) - 10 * count)}`, 10 * count)
  return events.filter((event) => event.board === board).slice(-count)
}
