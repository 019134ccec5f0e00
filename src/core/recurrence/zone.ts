/**
 * Reads offsets of time zones from the JavaScript engine. The answer depends only on the zone and the moment, so core
 * stays pure.
 */
const MINUTE = 60_000
const ZONES_MAX = 100

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hour: 'numeric' })
  if (formats.size >= ZONES_MAX) formats.clear()
  formats.set(zone, made)
  return made
}

/** Whether `zone` names a time zone, such as `Europe/Berlin` or `UTC`. An offset such as `+02:00` is not a name. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(zone)) return false
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

const OFFSET = /^GMT(?:([+-])(\d{1,2}):?(\d{2})?(?::(\d{2}))?)?$/

/** Returns the difference between local time and UTC at a moment, in milliseconds. */
export function offsetAt(zone: string, at: number): number {
  const name =
    formatOf(zone)
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes = '0', seconds = '0'] = OFFSET.exec(name) ?? []
  if (sign === undefined) return 0
  const ms = Number(hours) * 60 * MINUTE + Number(minutes) * MINUTE + Number(seconds) * 1_000
  return sign === '-' ? -ms : ms
}

/** The UTC offsets before and after a clock change. Without a change, both are equal and `changeAt` is null. */
export interface OffsetChange {
  readonly before: number
  readonly after: number
  readonly changeAt: number | null
}

/** Finds the clock change between two moments. The caller chooses a period with at most one change. */
export function changeBetween(zone: string, from: number, until: number): OffsetChange {
  const [before, after] = [offsetAt(zone, from), offsetAt(zone, until)]
  if (before === after) return { before, after, changeAt: null }
  let [earlier, later] = [from, until]
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2)
    if (offsetAt(zone, middle) === before) earlier = middle
    else later = middle
  }
  return { before, after, changeAt: later }
}
