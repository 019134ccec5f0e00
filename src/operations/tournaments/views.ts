import * as z from 'zod'
import { count, taskId } from '../../core/input/fields.ts'
import { PICKERS, STATUSES } from '../../core/vocabulary.ts'

const entryView = z.object({
  id: taskId,
  title: z.string(),
  agent: z.string().nullable(),
  status: z.enum(STATUSES),
  /** `playing` and `out` while the tournament is open; `won` and `lost` after the pick. */
  state: z.enum(['playing', 'passed', 'out', 'won', 'lost']),
  /** Whether the entry can win now. */
  canWin: z.boolean(),
  /** The end of the reason why the entry is blocked. */
  reason: z.string().nullable(),
  /** The checks of its last attempts. Null if no check ran. */
  checks: z.object({ passed: z.boolean(), ran: count, output: z.string().nullable() }).nullable(),
  /** The changes of its worktree. Null if it has no worktree, or has not run. */
  changes: z.object({ files: count, added: count, removed: count }).nullable(),
  attempts: count,
  costUsd: z.number().nullable(),
  durationMs: count,
  /** The report of its agent. */
  summary: z.string().nullable(),
  branch: z.string().nullable(),
})

export const tournamentView = z.object({
  id: taskId,
  status: z.enum(STATUSES),
  picker: z.enum(PICKERS),
  /** Why the judge picked no winner in its last try. */
  failure: z.string().nullable(),
  /** The last pick. A card that was reopened keeps it until the next pick. */
  pick: z
    .object({
      winner: taskId,
      agent: z.string().nullable(),
      by: z.string(),
      reason: z.string().nullable(),
      at: count,
      order: z.array(taskId).readonly().nullable(),
    })
    .nullable(),
  entries: z.array(entryView).readonly(),
})
export type TournamentView = z.infer<typeof tournamentView>
