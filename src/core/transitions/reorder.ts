/** Moves a card to another place in its column, so that it starts earlier or later. */
import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Refused } from '../decision.ts'
import type { TaskId } from '../ids.ts'
import { taskId } from '../input/fields.ts'
import { ROOM, isBetween, placeBetween, shiftTo } from '../limits/place.ts'
import type { Place } from '../limits/place.ts'
import { accepts } from '../status.ts'
import type { Task } from '../task.ts'
import { findTask, isRefused, taskIfMayOpenGates, taskResult, wrongStatus } from './guards.ts'

export const reorder = defineVerb({
  name: 'reorder',
  input: z.object({
    task: taskId,
    /** The moved card is placed beside this card. Null means the top or the bottom of the column. */
    anchor: taskId.nullable(),
    side: z.enum(['above', 'below']),
  }),
  scope: ({ task, anchor }) => ({
    tasks: [task],
    board: 'read' as const,
    ...(anchor === null ? {} : { parents: [anchor] }),
  }),
  facts: ({ rows, input: { task: id, anchor, side } }) => {
    const from = anchor === null ? null : rows.parents.get(anchor)
    const status = rows.tasks.get(id)?.status
    // The place is unknown until the rows are read.
    const place = status === undefined || from === undefined ? null : { status, from }
    return { neighbour: { fact: 'neighbour' as const, place, direction: directionOf(anchor, side), except: id } }
  },
  decide: ({ rows, board, facts: { neighbour }, input: { task: id, anchor: wanted, side }, actor }) => {
    const task = taskIfMayOpenGates(rows, id, actor)
    if (isRefused(task)) return task
    const anchor = wanted === null ? null : findTask({ ...rows, tasks: rows.parents }, wanted)
    if (anchor !== null && isRefused(anchor)) return anchor
    const refused = refuseToOrder(task, anchor)
    if (refused) return refused
    const [above, below] = directionOf(wanted, side) === 'up' ? [neighbour, anchor] : [anchor, neighbour]
    if (isBetween(task, above, below)) return accept(taskResult(task))
    const free = placeBetween(id, above, below)
    const rank = free ?? (below?.rank ?? 0) - ROOM / 2
    const rankShift = shiftTo(rank, task, board)
    if (rankShift === null)
      return refuse(
        'invalid_input',
        `Card ${id} cannot move there, because the cards around that place differ too much in priority.`,
        { id },
      )
    return accept(taskResult(task), {
      changes: [
        ...(free === null && above !== null ? [makeRoom(task, above)] : []),
        { op: 'update_task', id, patch: { rankShift } },
      ],
      events: [{ kind: 'reordered', taskId: id, data: { above: above?.id ?? null, below: below?.id ?? null } }],
    })
  },
})

/** The search for the second neighbour starts at the anchor, or at the end of the column to which the card moves. */
const directionOf = (anchor: TaskId | null, side: 'above' | 'below'): 'up' | 'down' =>
  (anchor === null) === (side === 'above') ? 'down' : 'up'

function refuseToOrder(task: Task, anchor: Task | null): Refused | null {
  if (!accepts(task.status, 'reorder')) return wrongStatus(task, 'reorder', 'waiting, ready, in review or blocked')
  if (anchor?.id === task.id)
    return refuse('invalid_input', `Card ${task.id} cannot be placed beside itself: name another card.`, {
      id: task.id,
    })
  if (anchor === null || anchor.status === task.status) return null
  return refuse(
    'wrong_status',
    `Card ${anchor.id} is ${anchor.status} and card ${task.id} is ${task.status}: place the card beside a card of its own column.`,
    { id: task.id, status: task.status },
  )
}

/** Moves all cards up to `last` forward by the same amount, so that the moved card fits behind them. */
const makeRoom = ({ status }: Task, last: Place): Change => ({ op: 'move_forward', status, last, by: ROOM })
