/** A series creates a card at each time of its schedule. */
import type { RunId, SeriesId, TaskId } from './ids.ts'
import type { SeriesCard } from './input/series-input.ts'
import type { Timing } from './recurrence/next-time.ts'
import { timeAfter } from './recurrence/next-time.ts'
import { parseSchedule } from './recurrence/schedule.ts'
import { isTimeZone } from './recurrence/zone.ts'
import type { SkipReason } from './vocabulary.ts'

/** Why a series created no card at its last scheduled time. The next card that it creates clears the note. */
export type SeriesNote = NoteOf<
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
>
type NoteOf<Cause> = Cause & {
  /** The scheduled time, and the time at which the dispatcher handled it. */
  readonly slot: number
  readonly at: number
  /** How many times in a row the series created no card for this reason. */
  readonly times: number
}

export interface Series {
  readonly board: string
  readonly id: SeriesId
  /** The schedule as the user wrote it: a cron expression, `every 2h` or `weekdays 09:00`. */
  readonly schedule: string
  readonly timeZone: string
  /** The fields of every card that the series creates. */
  readonly card: SeriesCard
  /** Whether a scheduled time is skipped while the last card of the series is unfinished. */
  readonly skipIfRunning: boolean
  /** An interval is counted from this moment. */
  readonly anchorAt: number
  /** The next scheduled time. Null while the series is paused, or while Muster cannot compute its times. */
  readonly nextAt: number | null
  /** When a dispatcher handles the series: at `nextAt`, or later after a failure. Null while the series is paused. */
  readonly dueAt: number | null
  /** When `nextAt` was computed. If the clock now shows an earlier time, the clock was set back. */
  readonly computedAt: number
  readonly pausedAt: number | null
  readonly pausedBy: string | null
  /** The number of cards that the series has created, followed by the last card and its scheduled time. */
  readonly created: number
  readonly lastTask: TaskId | null
  readonly lastSlot: number | null
  readonly note: SeriesNote | null
  /** False if an agent wrote commands for the cards of the series. Each card then waits for approval. */
  readonly commandsApproved: boolean
  readonly createdBy: string
  readonly createdByRun: RunId | null
  readonly createdAt: number
  readonly updatedAt: number
}

type Timed = Pick<Series, 'schedule' | 'timeZone' | 'anchorAt'>

/**
 * The values from which the times of a series are computed. Null means that the time zone or the schedule is unknown on
 * this machine, for example because this Muster is older.
 */
export function timingOf({ schedule: text, timeZone, anchorAt }: Timed): Timing | null {
  const schedule = parseSchedule(text)
  return 'fault' in schedule || !isTimeZone(timeZone) ? null : { schedule, timeZone, anchorAt }
}

/**
 * If the times of a series cannot be computed here, Muster tries again after this time. Another machine may know the
 * time zone.
 */
export const UNKNOWN_TIMES_MS = 3_600_000

/**
 * Returns the columns that let a series wait for its first time after `at`. If the times cannot be computed, `nextAt`
 * is null.
 */
export function waitsFrom(series: Timed, at: number): Pick<Series, 'nextAt' | 'dueAt'> {
  const timing = timingOf(series)
  const nextAt = timing === null ? null : timeAfter(timing, at)
  return { nextAt, dueAt: nextAt ?? at + UNKNOWN_TIMES_MS }
}

/** Smaller clock changes are normal: clocks are corrected often, and machines differ by a little. */
export const CLOCK_TOLERANCE_MS = 60_000

/** Whether the clock was set back after `nextAt` was computed. The series would then wait too long. */
export const clockWentBack = ({ computedAt }: Pick<Series, 'computedAt'>, now: number): boolean =>
  now < computedAt - CLOCK_TOLERANCE_MS
