/** The times until which an item can be hidden, in the time zone of the browser. */

export const SNOOZES = ['hour', 'tonight', 'tomorrow', 'week'] as const
export type Snooze = (typeof SNOOZES)[number]

const HOUR_MS = 3_600_000
const MORNING = 9
const EVENING = 20

/** Returns an hour of a later day. It uses the calendar, because a day may have 23 or 25 hours. */
const at = (now: Date, days: number, hour: number): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).getTime()

const MONDAY = 1
const daysToMonday = (now: Date): number => (7 + MONDAY - now.getDay()) % 7 || 7

export interface SnoozeChoice {
  readonly key: Snooze
  readonly until: number
}

/** Returns the choices. `tonight` is left out if the evening is less than an hour away. */
export function snoozeChoices(nowMs: number): readonly SnoozeChoice[] {
  const now = new Date(nowMs)
  const times: Readonly<Record<Snooze, number>> = {
    hour: nowMs + HOUR_MS,
    tonight: at(now, 0, EVENING),
    tomorrow: at(now, 1, MORNING),
    week: at(now, daysToMonday(now), MORNING),
  }
  return SNOOZES.filter((key) => key !== 'tonight' || times.tonight > nowMs + HOUR_MS).map((key) => ({
    key,
    until: times[key],
  }))
}

/** Parses the value of a `datetime-local` input. Null means that it is empty or in the past. */
export function fromLocalInput(value: string, now: number): number | null {
  const time = new Date(value).getTime()
  return Number.isFinite(time) && time > now ? time : null
}

export function toLocalInput(time: number): string {
  const date = new Date(time)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
