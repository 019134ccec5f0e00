import type { TaskId } from '../../core/ids.ts'
import type { Task } from '../../core/task.ts'
import type { Store } from '../../storage/store.ts'
import { changesOfWork } from '../judge/work-changes.ts'
import type { PickQuestion } from './prompt.ts'

interface Asked {
  readonly store: Pick<Store, 'tasksById' | 'cardHistories' | 'handOffs'>
  readonly home: string
  readonly root: Task
  /** The finished entries in the order in which the judge sees them. */
  readonly order: readonly TaskId[]
}

/**
 * Collects the entries of a tournament for the judge. If the changes of an entry cannot be read, the judge sees a note
 * instead.
 */
export async function collectEntries({ store, home, root, order }: Asked): Promise<PickQuestion> {
  const [tasks, { work }, handOffs] = await Promise.all([
    store.tasksById(order),
    store.cardHistories(order),
    store.handOffs(root.board, root.id),
  ])
  const found = order.flatMap((id) => tasks.find((task) => task.id === id) ?? [])
  const entries = await Promise.all(
    found.map(async (task) => ({
      changes: await changesOfWork(home, task),
      checks: work.find(({ taskId }) => taskId === task.id)?.checks?.output ?? null,
      summary: [handOffs.find((one) => one.task.id === task.id)?.summary, task.result]
        .flatMap((text) => text ?? [])
        .filter((text, at, all) => text.trim() !== '' && all.indexOf(text) === at)
        .join('\n\n'),
    })),
  )
  return { title: root.title, body: root.body, entries }
}
