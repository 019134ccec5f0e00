/**
 * A summary of all boards: running cards, items that wait for a person, and cards that finished in the last 24 hours.
 */
import type { Task } from '../../core/task.ts'
import type { Run } from '../../core/run.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import type { Finished } from '../../storage/store.ts'
import { RECENT_MS } from '../cards/recent.ts'
import { findItems } from '../inbox/find-items.ts'
import type { InboxItem } from '../inbox/views.ts'
import { dispatcherOf, findDispatchers } from '../machine/dispatcher-state.ts'
import type { DispatcherState } from '../machine/dispatcher-state.ts'
import type { BoardContext } from '../shared/operation.ts'

export interface Glance {
  readonly now: number
  readonly dispatcher: DispatcherState
  /** The running cards. The run that started first comes first. */
  readonly running: readonly { readonly task: Task; readonly run: Run }[]
  readonly items: readonly InboxItem[]
  /** Whether the inbox has more items than `items` contains. */
  readonly moreItems: boolean
  readonly finished: Finished
  /** Cards that are ready to start. */
  readonly ready: number
  readonly cards: number
  readonly boards: number
}

export interface GlanceOptions {
  readonly items: number
  readonly finished: number
}

export async function readGlance(context: BoardContext, most: GlanceOptions): Promise<Glance> {
  const { store } = context
  const host = hostIfSupported()
  const [now, boards, open, dispatchers] = await Promise.all([
    store.now(),
    store.boards(),
    store.openRuns(null),
    findDispatchers(store, host),
  ])
  const slugs = boards.flatMap(({ slug, archivedAt }) => (archivedAt === null ? [slug] : []))
  const [inbox, finished, counts, tasks] = await Promise.all([
    findItems(context, { board: null, limit: most.items }),
    store.finishedSince(slugs, { since: now - RECENT_MS, most: most.finished }),
    Promise.all(slugs.map((slug) => store.counts(slug))),
    store.tasksById(open.map(({ taskId }) => taskId)),
  ])
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return {
    now,
    dispatcher: dispatcherOf(dispatchers, null, host),
    running: open.flatMap((run) => {
      const task = byId.get(run.taskId)
      return task === undefined ? [] : [{ task, run }]
    }),
    items: inbox.items,
    moreItems: inbox.next !== null,
    finished,
    ready: counts.reduce((sum, count) => sum + count.ready, 0),
    cards: counts.reduce((sum, count) => sum + Object.values(count).reduce((all, one) => all + one, 0), 0),
    boards: slugs.length,
  }
}
