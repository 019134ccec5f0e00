/**
 * Active hours are the times of the week at which cards may start, such as `mon-fri 18:00-08:00; sat,sun`. They are in
 * the local time of the dispatcher's machine. Core has no time zone, so the caller passes the offset from UTC and the
 * next change of that offset.
 */
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const WEEK = 7 * DAY
/** The first time stamp, 1 January 1970, was a Thursday. */
const EPOCH_IN_WEEK = 4 * DAY

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const EXAMPLE = '22:00-07:00 or mon-fri 18:00-08:00; sat,sun'

/**
 * A period of the week, in milliseconds since Sunday 00:00. A window that passes midnight belongs to the day on which
 * it begins.
 */
interface Window {
  readonly from: number
  readonly to: number
}

export type ActiveHours = readonly Window[]

/** The local time zone. It has the offset from UTC, and the next change of that offset within `LOOK_AHEAD_MS`. */
export interface LocalZone {
  readonly offsetMinutes: number
  readonly change: { readonly at: number; readonly offsetMinutes: number } | null
}

/** Active hours repeat every week. If two sets of hours do not overlap within this time, they never overlap. */
export const LOOK_AHEAD_MS = 8 * DAY

/** Parses active hours. If they are not valid, returns a description of the error. */
export function parseActiveHours(text: string): ActiveHours | { readonly fault: string } {
  const parts = text.split(';').map((part) => part.trim().toLowerCase())
  const windows: Window[] = []
  for (const part of parts) {
    if (part === '') return { fault: `write hours such as ${EXAMPLE}` }
    const { days, times } = splitAtDigit(part)
    const listed = days === '' ? DAYS.map((_, day) => day) : parseDays(days)
    if ('fault' in listed) return listed
    const range = times === '' ? { from: 0, to: DAY } : parseRange(times)
    if ('fault' in range) return range
    for (const day of listed) windows.push({ from: day * DAY + range.from, to: day * DAY + range.to })
  }
  return windows
}

/**
 * Splits the text at its first digit, where the days end. One regular expression for both days and times would take
 * minutes on a long text of spaces.
 */
function splitAtDigit(part: string): { readonly days: string; readonly times: string } {
  const at = part.search(/\d/)
  return at === -1 ? { days: part, times: '' } : { days: part.slice(0, at).trim(), times: part.slice(at) }
}

export function activeHoursFault(text: string): string | null {
  const parsed = parseActiveHours(text)
  return 'fault' in parsed ? parsed.fault : null
}

function parseDays(text: string): readonly number[] | { readonly fault: string } {
  const found: number[] = []
  for (const part of text.split(',').map((one) => one.trim())) {
    const [first = '', last = first, ...rest] = part.split('-').map((one) => one.trim())
    const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)]
    if (from < 0 || to < 0 || rest.length > 0)
      return { fault: `${part === '' ? 'a day is missing' : `${part} is not a day`}: write mon, mon-fri or sat,sun` }
    const count = ((to - from + 7) % 7) + 1
    for (let step = 0; step < count; step += 1) found.push((from + step) % 7)
  }
  return [...new Set(found)]
}

function parseRange(text: string): Window | { readonly fault: string } {
  const [first, last, ...rest] = text.split('-').map((one) => parseTime(one.trim()))
  if (first === undefined || last === undefined || rest.length > 0 || first === null || last === null)
    return { fault: `${text.trim()} is not a range of times: write 22:00-07:00` }
  if (first === last) return { fault: `${text.trim()} begins and ends at the same time` }
  if (first === DAY) return { fault: '24:00 can only be the end: write 00:00' }
  return { from: first, to: last > first ? last : last + DAY }
}

function parseTime(text: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined || Number(minutes) > 59) return null
  const at = Number(hours) * 60 * MINUTE + Number(minutes) * MINUTE
  return at <= DAY ? at : null
}

const offsetAt = ({ offsetMinutes, change }: LocalZone, at: number): number =>
  (change !== null && at >= change.at ? change.offsetMinutes : offsetMinutes) * MINUTE

const inWeek = (at: number, zone: LocalZone): number => positive(at + offsetAt(zone, at) + EPOCH_IN_WEEK)

const positive = (ms: number): number => ((ms % WEEK) + WEEK) % WEEK

export const isOpen = (hours: ActiveHours, now: number, zone: LocalZone): boolean =>
  closedForMs(hours, inWeek(now, zone)) === 0

/** How long the hours stay closed after this local time. 0 means that they are open. */
const closedForMs = (hours: ActiveHours, at: number): number =>
  hours.reduce((least, { from, to }) => {
    const isInside = (at >= from && at < to) || at + WEEK < to
    return Math.min(least, isInside ? 0 : positive(from - at))
  }, Infinity)

/**
 * The first moment, from `now` on, at which all sets of hours are open. Null means that no such moment exists. If the
 * clocks change before that moment, the search starts again at the change, because the change may skip or repeat an
 * hour.
 */
export function nextOpening(all: readonly ActiveHours[], now: number, zone: LocalZone): number | null {
  const { change } = zone
  for (let at = now; at <= now + LOOK_AHEAD_MS;) {
    const here = inWeek(at, zone)
    const closedMs = Math.max(0, ...all.map((hours) => closedForMs(hours, here)))
    if (closedMs === 0) return at
    const next = at + closedMs
    at = change !== null && at < change.at && next > change.at ? change.at : next
  }
  return null
}
