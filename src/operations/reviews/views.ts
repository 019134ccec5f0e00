/** The output schemas for the commands of a card. */
import * as z from 'zod'
import { text } from '../../core/input/fields.ts'
import { PERMISSIONS } from '../../core/vocabulary.ts'
import { HARNESS_NAMES } from '../../harnesses/index.ts'
import { taskView } from '../shared/views.ts'

export const commandsView = z.object({
  /** The body of the card. This is null unless the card's agent runs the body as a script. */
  body: text.nullable(),
  checks: z.array(text),
  /**
   * The user's directory or repository in which the card works. Null means that the card works in a folder of Muster.
   */
  directory: text.nullable(),
  /**
   * The agent that runs the card. Null means that the card is unassigned. `harness` is null if this machine has no
   * agent with this name.
   */
  agent: z
    .object({ name: text, harness: z.enum(HARNESS_NAMES).nullable(), permissions: z.enum(PERMISSIONS).nullable() })
    .nullable(),
})
export type Commands = z.infer<typeof commandsView>

export const cardCommands = z.object({
  task: taskView,
  commands: commandsView,
  /** SHA-256 of the commands. The event of an approval contains this hash. */
  hash: z.string(),
})
