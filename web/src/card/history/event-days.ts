/** Prepares the events of a card for a reader: newest first, grouped by day, without the internal steps of Muster. */
import { groupOf } from '../../../../src/core/event-groups.ts'
import { EVENT_KINDS } from '../../../../src/core/event-kinds.ts'
import type { EventView } from '../../../../src/client/index.ts'

export interface EventDay {
  /** The start of the day, in the time zone of the reader. */
  readonly at: number
  readonly events: readonly EventView[]
}

/** Whether a reader needs the event. Events of unknown kinds, from a newer server, are shown. */
const isTelling = ({ kind }: EventView): boolean => !EVENT_KINDS.includes(kind) || groupOf(kind) !== 'details'

/** Returns the events to show, newest first. */
export const shownEvents = (events: readonly EventView[], withDetails: boolean): readonly EventView[] =>
  events.filter((event) => withDetails || isTelling(event)).toReversed()

export function byDay(events: readonly EventView[]): readonly EventDay[] {
  const days: { readonly at: number; readonly events: EventView[] }[] = []
  for (const event of events) {
    const at = new Date(event.createdAt).setHours(0, 0, 0, 0)
    const last = days.at(-1)
    if (last?.at === at) last.events.push(event)
    else days.push({ at, events: [event] })
  }
  return days
}

interface Numbered {
  readonly id: number
}

/**
 * Merges the known events with the newest events. If events may be missing between the two lists, the known events are
 * dropped and read again.
 */
export function mergeEvents<Event extends Numbered>(
  known: readonly Event[],
  newest: readonly Event[],
): readonly Event[] {
  const first = newest[0]?.id ?? 0
  const touches = known.some(({ id }) => id >= first)
  return touches ? [...known.filter(({ id }) => id < first), ...newest] : newest
}

/** Whether earlier events exist. The first event of a card is `created`. */
export const hasEarlier = (events: readonly Pick<EventView, 'kind'>[]): boolean =>
  events.length > 0 && events[0]?.kind !== 'created'
