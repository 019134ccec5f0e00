/** The periods that people often ask about, in the time zone of the browser. */
export const PERIODS = ['today', 'night', 'yesterday', 'week'] as const
export type Period = (typeof PERIODS)[number]

export interface Range {
  readonly from: number
  /** Null: until now. */
  readonly until: number | null
}

const EVENING = 18
const MORNING = 8

/** A time of the day that is `days` after the day of `now`. Days may have 23 or 25 hours, so the calendar is used. */
function at(now: number, days: number, hour = 0): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, hour).getTime()
}

export function rangeOf(period: Period, now: number): Range {
  switch (period) {
    case 'today':
      return { from: at(now, 0), until: null }
    case 'night': {
      const morning = at(now, 0, MORNING)
      return { from: at(now, -1, EVENING), until: morning > now ? null : morning }
    }
    case 'yesterday':
      return { from: at(now, -1), until: at(now, 0) }
    case 'week':
      return { from: at(now, -6), until: null }
  }
}
