import * as z from 'zod'
import { PAUSE_CAUSES } from '../../core/account.ts'
import { count, line, runId, text, time } from '../../core/input/fields.ts'

export const input = z.object({})

const accountView = z.object({
  name: line,
  /** The agents of this machine that spend from it. */
  agents: z.array(line).readonly(),
  running: count,
  /** `trying`: its pause is over, and one run finds out whether that is so; the others wait for it. */
  state: z.enum(['open', 'paused', 'trying']),
  cause: z.enum(PAUSE_CAUSES).nullable(),
  by: line.nullable(),
  since: time.nullable(),
  /** When it is tried again; null: when somebody resumes it. */
  until: time.nullable(),
  reason: text.nullable(),
  probeRunId: runId.nullable(),
})
export type AccountView = z.infer<typeof accountView>

export const output = z.array(accountView).readonly()
