/** Filters events by their own fields, and by the assignee and tenant that their card has now. */
import type { BoardEvent } from '../../core/event.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Task } from '../../core/task.ts'
import type { Store } from '../../storage/store.ts'

export interface EventFilter {
  readonly board?: string
  readonly task?: TaskId
  readonly kinds?: readonly string[]
  readonly assignee?: string
  readonly tenant?: string
}

/** The cards of some events, by id. */
export type EventCards = ReadonlyMap<TaskId, Pick<Task, 'assignee' | 'tenant'>>

export const needsCards = ({ assignee, tenant }: EventFilter): boolean => assignee !== undefined || tenant !== undefined

export async function cardsOf(
  store: Pick<Store, 'tasksById'>,
  events: readonly Pick<BoardEvent, 'taskId'>[],
): Promise<EventCards> {
  const ids = new Set(events.flatMap(({ taskId }) => taskId ?? []))
  const cards = ids.size === 0 ? [] : await store.tasksById([...ids])
  return new Map(cards.map((card) => [card.id, card]))
}

/** Whether the event passes the filter. `cards` may be empty if the filter does not need them. */
export function matchesEvent(
  { board, taskId, kind }: Pick<BoardEvent, 'board' | 'taskId' | 'kind'>,
  filter: EventFilter,
  cards: EventCards,
): boolean {
  if (filter.board !== undefined && filter.board !== board) return false
  if (filter.task !== undefined && filter.task !== taskId) return false
  if (filter.kinds !== undefined && !filter.kinds.includes(kind)) return false
  if (!needsCards(filter)) return true
  const card = taskId === null ? undefined : cards.get(taskId)
  if (card === undefined) return false
  return (
    (filter.assignee === undefined || card.assignee === filter.assignee) &&
    (filter.tenant === undefined || card.tenant === filter.tenant)
  )
}

export async function chooseEvents(
  store: Store,
  events: readonly BoardEvent[],
  filter: EventFilter,
): Promise<readonly BoardEvent[]> {
  const { assignee: _assignee, tenant: _tenant, ...own } = filter
  const asked = events.filter((event) => matchesEvent(event, own, new Map()))
  if (!needsCards(filter)) return asked
  const cards = await cardsOf(store, asked)
  return asked.filter((event) => matchesEvent(event, filter, cards))
}
