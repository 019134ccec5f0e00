/** The record of a dispatcher's last pass. Other processes read it to find out whether the dispatcher still works. */
import * as z from 'zod'
import { count, duration, line, time } from '../input/fields.ts'

/** The maximum number of reasons that a record counts separately. */
export const PASS_REASONS = 20

export const lastPassSchema = z.object({
  /** The time at which the pass ended, by the store's clock. */
  at: time,
  tookMs: duration,
  /** The maximum time between two passes of this dispatcher. */
  everyMs: duration,
  started: count,
  /** The number of cards that the pass could not start, by the code of their first reason. */
  waiting: z.array(z.object({ code: line, count })).max(PASS_REASONS),
})
export type LastPass = z.infer<typeof lastPassSchema>

/**
 * A pass as the dispatcher reports it. The dispatcher's clock may differ from the store's clock, so it reports the age
 * of the pass.
 */
export const passReportSchema = lastPassSchema.omit({ at: true }).extend({ agoMs: duration })
export type PassReport = z.infer<typeof passReportSchema>

/** The maximum time between a pass and its record. The record is stored with the next renewal of the lease. */
const RECORD_LAG_MS = 30_000
const MISSED_PASSES = 3

interface Leading {
  /** The time at which the dispatcher became active. */
  readonly since: number
  readonly lastPass: LastPass | null
}

/** Whether a dispatcher still renews its lease but has stopped making passes. */
export function isStalled({ since, lastPass }: Leading, now: number): boolean {
  const { at = since, everyMs = 0 } = lastPass ?? {}
  return now - Math.max(at, since) > MISSED_PASSES * everyMs + RECORD_LAG_MS
}
