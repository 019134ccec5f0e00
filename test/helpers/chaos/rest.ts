/** After the random commands end, every card that no person stopped finishes. */
import type { Task } from '../../../src/core/task.ts'
import { waitUntil } from '../../../src/processes/wait-until.ts'
import type { BoardState } from '../invariants.ts'
import { stateOf } from './oracle.ts'
import type { ChaosBoard } from './chaos-board.ts'

/** Blocks that the board makes; with raised limits there are no such blocks. */
const OF_THE_BOARD: readonly (string | null)[] = ['breaker', 'attempts', 'budget']

/** Cards that should still move; empty when the board has come to rest. */
export function restless({ tasks, links }: BoardState): readonly Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const memo = new Map<string, boolean>()
  /** Whether a person's command holds up the card or one of its parents. */
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

export async function comeToRest(chaosBoard: ChaosBoard, forMs: number): Promise<void> {
  const { store, faults } = chaosBoard
  const look = async (): Promise<true | null> => (restless(await stateOf(chaosBoard)).length === 0 ? true : null)
  if ((await waitUntil(store, look, { forMs, everyMs: 500 })) === null)
    for (const { id, status, currentRunId, cooldownUntil, lastError } of restless(await stateOf(chaosBoard)))
      faults.add(
        `${id} did not come to its end in ${forMs / 1000} s: ${status}, run ${currentRunId}, cool-down ${cooldownUntil}, ${lastError}`,
      )
  for (const { id, blockKind, blockReason } of (await stateOf(chaosBoard)).tasks)
    if (OF_THE_BOARD.includes(blockKind)) faults.add(`${id} was given up (${blockKind}): ${blockReason}`)
}
