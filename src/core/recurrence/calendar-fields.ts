/** The values of calendar fields, and lists of them such as `1-5,0` or `mon-fri`. */

export interface FieldRange {
  readonly label: string
  readonly from: number
  readonly to: number
  /** The names of the values. The first name stands for the value `from`. */
  readonly names?: readonly string[]
}

export const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const

export const MINUTES: FieldRange = { label: 'minute', from: 0, to: 59 }
export const HOURS: FieldRange = { label: 'hour', from: 0, to: 23 }
export const MONTH_DAYS: FieldRange = { label: 'day of the month', from: 1, to: 31 }
export const MONTHS: FieldRange = { label: 'month', from: 1, to: 12, names: MONTH_NAMES }
/** Sunday is both 0 and 7. */
export const WEEK_DAYS: FieldRange = { label: 'day of the week', from: 0, to: 7, names: DAY_NAMES }

/** The numbers from `from` to `to`. */
export const numbers = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, at) => from + at * step)

export const ALL_MONTHS: ReadonlySet<number> = new Set(numbers(1, 12))
export const ALL_MONTH_DAYS: ReadonlySet<number> = new Set(numbers(1, 31))
export const ALL_WEEK_DAYS: ReadonlySet<number> = new Set(numbers(0, 6))
