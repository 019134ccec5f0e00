/** Finds the agent that would run a card next. */
import type { Board } from '../../core/board.ts'
import { possibleSelfReviewer, reviewerOf } from '../../core/gates/admission.ts'
import type { AgentRole } from '../../core/reasons/reason.ts'
import { isInReview, resumesInReview } from '../../core/status.ts'
import type { Task } from '../../core/task.ts'
import type { Store } from '../../storage/store.ts'

export interface NextRunner {
  readonly name: string | null
  readonly role: AgentRole
  /** Whether the reviewer has worked on the card and would review its own work. */
  readonly reviewerIsAuthor: boolean
}

export async function nextRunner(store: Pick<Store, 'workedOn'>, task: Task, board: Board): Promise<NextRunner> {
  // A card that was blocked in review returns to its reviewer.
  if (!isInReview(task.status) && !resumesInReview(task)) return { ...workerOf(task, board), reviewerIsAuthor: false }
  const reviewerIsAuthor = await isOwnWork(store, task, board)
  return { name: reviewerOf(task, board, reviewerIsAuthor), role: 'reviewer', reviewerIsAuthor }
}

/** The assignee of the card. For an unassigned card, this is the default assignee of the board. */
function workerOf({ assignee }: Task, { settings }: Board): Pick<NextRunner, 'name' | 'role'> {
  return assignee === null && settings.defaultAssignee !== null
    ? { name: settings.defaultAssignee, role: 'default_assignee' }
    : { name: assignee, role: 'assignee' }
}

/** Whether the board's reviewer has worked on the card. */
export async function isOwnWork(store: Pick<Store, 'workedOn'>, task: Task, board: Board): Promise<boolean> {
  const reviewer = possibleSelfReviewer(task, board)
  return reviewer !== null && (await store.workedOn(board.slug, reviewer, [task.id])).length > 0
}
