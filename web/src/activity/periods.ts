/** The common periods to choose from, in the time zone of the browser. */
export const PERIODS = ['today', 'night', 'yesterday', 'week'] as const
export type Period = (typeof PERIODS)[number]

export interface Range {
  readonly from: number
  /** The end of the period. Null means that the period continues until now. */
  readonly until: number | null
}

const EVENING = 18
const MORNING = 8

/**
 * Returns a time of the day, `days` after the day of `now`. It uses the calendar, because a day may have 23 or 25
 * hours.
 */
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
