/** Groups events by the day on which they happened. */
import type { Language } from '../i18n/language.ts'

export interface Day<Event> {
  /** The start of the day. */
  readonly at: number
  readonly events: readonly Event[]
}

const startOf = (time: number): number => new Date(time).setHours(0, 0, 0, 0)

export function groupByDay<Event extends { readonly createdAt: number }>(
  events: readonly Event[],
): readonly Day<Event>[] {
  const days: { at: number; events: Event[] }[] = []
  for (const event of events) {
    const at = startOf(event.createdAt)
    const last = days.at(-1)
    if (last?.at === at) last.events.push(event)
    else days.push({ at, events: [event] })
  }
  return days
}

/** The name of a day: `Today`, `Yesterday`, or the date. The year is added only if it is not the current year. */
export function dayName(language: Language, at: number, now: number): string {
  const days = Math.round((startOf(at) - startOf(now)) / 86_400_000)
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (days === 0 || days === -1) return capital(relative.format(days, 'day'))
  const isSameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isSameYear ? {} : { year: 'numeric' }),
  }).format(at)
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
