/** Finds cards that did not finish. After the random commands end, every card that no person stopped must finish. */
import type { Task } from '../../../src/core/task.ts'
import { waitUntil } from '../../../src/processes/wait-until.ts'
import type { BoardState } from '../invariants.ts'
import { stateOf } from './oracle.ts'
import type { ChaosBoard } from './chaos-board.ts'

/** The kinds of blocks that the board itself sets. The raised limits of the chaos test prevent them. */
const BOARD_BLOCKS: readonly (string | null)[] = ['breaker', 'attempts', 'budget']

/**
 * Returns the cards that should still run or start. The list is empty when all cards have finished or wait for a
 * person.
 */
export function unfinished({ tasks, links }: BoardState): readonly Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const memo = new Map<string, boolean>()
  /** Whether a person's command keeps the card or one of its parents from starting. */
  const waits = (task: Task): boolean => {
    const known = memo.get(task.id)
    if (known !== undefined) return known
    const own = task.held || task.status === 'blocked' || task.status === 'triage' || task.status === 'review'
    const parked = task.status === 'scheduled' && task.scheduledAt === null
    const behind = (): boolean =>
      links.some(({ parentId, childId, waivedBy }) => {
        const parent = childId === task.id && waivedBy === null ? byId.get(parentId) : undefined
        return parent !== undefined && parent.deletedAt === null && !isOver(parent) && waits(parent)
      })
    const answer = own || parked || behind()
    memo.set(task.id, answer)
    return answer
  }
  return tasks.filter((task) => task.deletedAt === null && !isOver(task) && (task.status === 'running' || !waits(task)))
}

const isOver = ({ status }: Task): boolean => status === 'done' || status === 'archived'

export async function waitUntilFinished(chaosBoard: ChaosBoard, forMs: number): Promise<void> {
  const { store, faults } = chaosBoard
  const look = async (): Promise<true | null> => (unfinished(await stateOf(chaosBoard)).length === 0 ? true : null)
  if ((await waitUntil(store, look, { forMs, everyMs: 500 })) === null)
    for (const { id, status, currentRunId, cooldownUntil, lastError } of unfinished(await stateOf(chaosBoard)))
      faults.add(
        `${id} did not finish in ${forMs / 1000} s:  ${status}, run ${currentRunId}, cool-down ${cooldownUntil}, ${lastError}`,
      )
  for (const { id, blockKind, blockReason } of (await stateOf(chaosBoard)).tasks)
    if (BOARD_BLOCKS.includes(blockKind)) faults.add(`the board blocked ${id} (${blockKind}): ${blockReason}`)
}
