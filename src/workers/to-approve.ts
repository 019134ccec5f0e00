import { beyondApproval } from '../core/command-approval.ts'
import type { Beyond, Taker } from '../core/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Store } from '../storage/store.ts'

/**
 * What whoever takes a card would do with it as it stands that a person has to approve; null: nothing. A claim asks the
 * same in its own transaction; this is for those who only tell.
 */
export async function toApprove(store: Pick<Store, 'bodyWriter'>, task: Task, taker: Taker): Promise<Beyond | null> {
  const writer = taker.trusted === null ? null : await store.bodyWriter(task.board, task.id)
  return beyondApproval(task, taker, writer)
}
