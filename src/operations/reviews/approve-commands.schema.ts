import * as z from 'zod'
import { text } from '../../core/input/fields.ts'
import { HARNESS_NAMES } from '../../harnesses/index.ts'
import { PERMISSIONS } from '../../core/vocabulary.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

const commands = z.object({
  /** Only where the card's agent runs it as a script. */
  body: text.nullable(),
  checks: z.array(text),
  /** Where it works, if that is the user's own: a directory, or the repository of its worktree. */
  directory: text.nullable(),
  /** Who runs the card; null: nobody yet. Without a harness: nobody of that name is here. */
  agent: z
    .object({ name: text, harness: z.enum(HARNESS_NAMES).nullable(), permissions: z.enum(PERMISSIONS).nullable() })
    .nullable(),
})
export type Commands = z.infer<typeof commands>

export const input = z.object({
  task: typedCard,
  hash: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/, 'must be the sha256 that was shown: 64 of 0-9 and a-f')
    .nullable()
    .default(null)
    .describe('Approve only what has this sha256, as it was shown; null: as it stands'),
})
export const output = z.object({
  task: taskView,
  /** Exactly what may run from now on. */
  commands,
  /** SHA-256 of what was approved, as the event keeps it. */
  hash: z.string(),
})
