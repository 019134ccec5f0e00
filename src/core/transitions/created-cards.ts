/**
 * Checks the list of cards that a completion names as created by its run. Each card must exist. The card must be
 * created by this worker, or be a child of the worker's card.
 */
import type { FactValue } from '../facts.ts'
import type { TaskId } from '../ids.ts'
import type { Task } from '../task.ts'
import type { RunId } from '../ids.ts'

export interface CreatedCards {
  readonly verified: TaskId[]
  readonly phantom: TaskId[]
}

type Cards = FactValue<{ fact: 'cards'; ids: readonly TaskId[] }>

export function checkCreatedCards(
  task: Task,
  claimed: readonly TaskId[],
  known: { cards: Cards; children: readonly TaskId[]; runId: RunId | null; authors: readonly string[] },
): CreatedCards {
  const byId = new Map(known.cards.map((card) => [card.id, card]))
  const isOurs = (id: TaskId): boolean => {
    const card = byId.get(id)
    if (card === undefined || card.board !== task.board || card.id === task.id || card.deletedAt !== null) return false
    return (
      known.children.includes(id) ||
      (card.createdByRun !== null && card.createdByRun === known.runId) ||
      known.authors.includes(card.createdBy)
    )
  }
  const ids = [...new Set(claimed)]
  return { verified: ids.filter(isOurs), phantom: ids.filter((id) => !isOurs(id)) }
}
