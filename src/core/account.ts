import * as z from 'zod'
import { count, line, name, runId, text, time } from './input/fields.ts'

export const PAUSE_CAUSES = ['quota', 'auth', 'person'] as const

/** Whose quota agents spend. A pause holds for all cards of all its agents; `pausedUntil` null with a cause: until a person resumes. */
export const accountSchema = z.object({
  name,
  pauseCause: z.enum(PAUSE_CAUSES).nullable(),
  pausedUntil: time.nullable(),
  pausedBy: line.nullable(),
  pauseReason: text.nullable(),
  /** Pauses in a row: the wait doubles when the provider names no reset time. */
  strikes: count,
  /** A quota signal of a run started before this moment is late and changes nothing. */
  reopenedAt: time.nullable(),
  probeRunId: runId.nullable(),
  updatedAt: time,
})
export type Account = z.infer<typeof accountSchema>
