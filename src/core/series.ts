/** A series creates a card at each time of its schedule. */
import type { RunId, SeriesId, TaskId } from './ids.ts'
import type { SeriesCard } from './input/series-input.ts'
import type { Timing } from './recurrence/next-time.ts'
import { timeAfter } from './recurrence/next-time.ts'
import { parseSchedule } from './recurrence/schedule.ts'
import { isTimeZone } from './recurrence/zone.ts'
import type { SkipReason } from './vocabulary.ts'

/** Why a series created no card at its last time. The next card clears it. */
export type SeriesNote = NoteOf<
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
>
type NoteOf<Cause> = Cause & {
  /** The time of the series, and the time at which the dispatcher handled it. */
  readonly slot: number
  readonly at: number
  /** How many times in a row had this cause. */
  readonly times: number
}

export interface Series {
  readonly board: string
  readonly id: SeriesId
  /** The schedule as the user wrote it: a cron expression, `every 2h` or `weekdays 09:00`. */
  readonly schedule: string
  readonly timeZone: string
  /** The fields of its cards. */
  readonly card: SeriesCard
  /** Whether a time is skipped while the last card of the series is unfinished. */
  readonly skipIfRunning: boolean
  /** The moment from which an interval counts. */
  readonly anchorAt: number
  /** The next time of the series. This is null while it is paused, or while its times are unknown. */
  readonly nextAt: number | null
  /** When a dispatcher must look at it: at `nextAt`, or later after a failure. This is null while it is paused. */
  readonly dueAt: number | null
  /** When `nextAt` was computed. If the clock is behind this time, it was set back since. */
  readonly computedAt: number
  readonly pausedAt: number | null
  readonly pausedBy: string | null
  /** The number of cards that the series has created, and the last of them with its time. */
  readonly created: number
  readonly lastTask: TaskId | null
  readonly lastSlot: number | null
  readonly note: SeriesNote | null
  /** False if an agent wrote commands into its cards. Each card then waits for approval. */
  readonly commandsApproved: boolean
  readonly createdBy: string
  readonly createdByRun: RunId | null
  readonly createdAt: number
  readonly updatedAt: number
}

type Timed = Pick<Series, 'schedule' | 'timeZone' | 'anchorAt'>

/**
 * The times of a series. Null means that this machine does not know its time zone, or an older Muster does not
 * understand its schedule.
 */
export function timingOf({ schedule: text, timeZone, anchorAt }: Timed): Timing | null {
  const schedule = parseSchedule(text)
  return 'fault' in schedule || !isTimeZone(timeZone) ? null : { schedule, timeZone, anchorAt }
}

/** The wait until a series whose times are unknown is looked at again. Another machine may know its time zone. */
export const UNKNOWN_TIMES_MS = 3_600_000

/** The columns that make a series wait for its first time after `at`. `nextAt` is null if its times are unknown. */
export function waitsFrom(series: Timed, at: number): Pick<Series, 'nextAt' | 'dueAt'> {
  const timing = timingOf(series)
  const nextAt = timing === null ? null : timeAfter(timing, at)
  return { nextAt, dueAt: nextAt ?? at + UNKNOWN_TIMES_MS }
}

/** A smaller change of the clock is normal: it is corrected often, and machines differ by a little. */
export const CLOCK_TOLERANCE_MS = 60_000

/** Whether the clock was set back since `nextAt` was computed. The series would then wait for too long. */
export const clockWentBack = ({ computedAt }: Pick<Series, 'computedAt'>, now: number): boolean =>
  now < computedAt - CLOCK_TOLERANCE_MS
