/** The output schemas for the commands of a card. */
import * as z from 'zod'
import { text } from '../../core/input/fields.ts'
import { PERMISSIONS } from '../../core/vocabulary.ts'
import { HARNESS_NAMES } from '../../harnesses/index.ts'
import { taskView } from '../shared/views.ts'

const commands = z.object({
  /** Null unless the card's agent runs the body as a script. */
  body: text.nullable(),
  checks: z.array(text),
  /** The user's directory or repository that the card works in. Null if it works in a folder of Muster. */
  directory: text.nullable(),
  /**
   * The agent that runs the card, or null if the card is unassigned. `harness` is null if no agent of that name exists
   * here.
   */
  agent: z
    .object({ name: text, harness: z.enum(HARNESS_NAMES).nullable(), permissions: z.enum(PERMISSIONS).nullable() })
    .nullable(),
})
export type Commands = z.infer<typeof commands>

export const cardCommands = z.object({
  task: taskView,
  commands,
  /** SHA-256 of the commands. An approval keeps it in its event. */
  hash: z.string(),
})
