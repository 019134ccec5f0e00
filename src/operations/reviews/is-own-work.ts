import { doubtedReviewer } from '../../core/gates/admission.ts'
import type { Board } from '../../core/board.ts'
import type { Task } from '../../core/task.ts'
import type { Store } from '../../storage/store.ts'

/** Whether the reviewer of its board was at work on a card itself. */
export async function isOwnWork(store: Pick<Store, 'workedOn'>, task: Task, board: Board): Promise<boolean> {
  const reviewer = doubtedReviewer(task, board)
  return reviewer !== null && (await store.workedOn(board.slug, reviewer, [task.id])).length > 0
}
