/** Decides whether a card waits for its parents. */
import type { EventDraft } from '../event.ts'
import type { TaskId } from '../ids.ts'
import { accepts, followsParents, isReady, isSatisfied } from '../status.ts'
import type { Task } from '../task.ts'
import { isTournament } from '../tournament/tournament.ts'
import type { HasTournament } from '../tournament/tournament.ts'
import type { Status } from '../vocabulary.ts'

/** Whether the children of this card wait for it. No card waits for a deleted parent. */
export const gates = (parent: Pick<Task, 'status' | 'deletedAt'>): boolean =>
  parent.deletedAt === null && !isSatisfied(parent.status)

/** A card with a tournament never starts, so it is never ready: it waits for a pick even after all its entries end. */
export const readyOrTodo = (task: Pick<Task, 'openParents'> & HasTournament): 'todo' | 'ready' =>
  task.openParents > 0 || isTournament(task) ? 'todo' : 'ready'

/** The status of a restored card. A card that was `ready` becomes `todo` if it has an unfinished parent now. */
export const restoredStatus = (task: Pick<Task, 'openParents'> & HasTournament, status: Status): Status =>
  followsParents(status) ? readyOrTodo(task) : status

/** Whether a person may promote the card. Promoting a ready card ends its wait for a retry. */
export const canPromote = ({
  status,
  guardUntil,
  cooldownUntil,
  tournament,
}: Pick<Task, 'status' | 'guardUntil' | 'cooldownUntil'> & HasTournament) =>
  !isTournament({ tournament }) &&
  (accepts(status, 'promote') || (isReady(status) && (guardUntil !== null || cooldownUntil !== null)))

type GatedTask = Pick<Task, 'id' | 'status' | 'openParents' | 'deletedAt' | 'currentRunId' | 'tournament'>

export interface Shift {
  readonly patch: Partial<Pick<Task, 'openParents' | 'status' | 'blockKind' | 'blockReason' | 'blockedBy'>>
  readonly events: readonly EventDraft[]
}

/** The fields of a card whose block has ended because its parents have finished. */
const NO_LONGER_WAITING = { blockKind: null, blockReason: null, blockedBy: null } as const

/**
 * Changes the number of unfinished parents of a child, and its status. SQL does the same for many children at once, and
 * a test compares the two.
 */
export function shiftGate(
  child: GatedTask,
  { delta, parent, cause }: { delta: number; parent: TaskId; cause: 'linked' | 'parent_reopened' },
): Shift {
  const openParents = child.openParents + delta
  if (child.deletedAt === null && child.status === 'todo' && openParents === 0 && child.tournament === null)
    return {
      patch: { openParents, status: 'ready', ...NO_LONGER_WAITING },
      events: [{ kind: 'promoted', taskId: child.id, data: { cause: 'parents' } }],
    }
  if (child.deletedAt === null && child.status === 'ready' && delta > 0)
    return {
      patch: { openParents, status: 'todo' },
      events: [{ kind: 'demoted', taskId: child.id, data: { cause, parent } }],
    }
  if (child.deletedAt === null && child.status === 'running' && delta > 0)
    return {
      patch: { openParents },
      events: [{ kind: 'parent_reopened', taskId: child.id, runId: child.currentRunId, data: { parent } }],
    }
  return { patch: { openParents }, events: [] }
}

/** The ids of cards that wait for each other in a cycle. Null means that the batch has no cycle. */
export function findCycle<Id extends string>(parentsOf: ReadonlyMap<Id, readonly Id[]>): Id[] | null {
  const finished = new Set<Id>()
  for (const start of parentsOf.keys()) {
    const path: Id[] = []
    const onPath = new Set<Id>()
    const stack: { id: Id; next: number }[] = [{ id: start, next: 0 }]
    while (stack.length > 0) {
      const top = stack.at(-1)
      if (!top) break
      if (top.next === 0) {
        if (onPath.has(top.id)) return [...path.slice(path.indexOf(top.id)), top.id]
        if (finished.has(top.id)) {
          stack.pop()
          continue
        }
        path.push(top.id)
        onPath.add(top.id)
      }
      const parent = parentsOf.get(top.id)?.[top.next]
      top.next += 1
      if (parent !== undefined) {
        stack.push({ id: parent, next: 0 })
      } else {
        stack.pop()
        path.pop()
        onPath.delete(top.id)
        finished.add(top.id)
      }
    }
  }
  return null
}
