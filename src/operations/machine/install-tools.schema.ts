import * as z from 'zod'
import { ASSISTANT_NAMES } from '../../mcp-install/names.ts'
import { slug } from '../../core/input/fields.ts'

export const input = z.object({
  assistant: z.enum(ASSISTANT_NAMES).describe('Who gets the tools'),
  board: slug
    .optional()
    .describe('The board they are for; without one, the one that is current when the assistant starts'),
  print: z.boolean().default(false).describe('Show the change and make none'),
  remove: z.boolean().default(false).describe('Take out what was put in'),
})

export const output = z.object({
  assistant: z.enum(ASSISTANT_NAMES),
  /** Its configuration file. */
  file: z.string(),
  change: z.enum(['installed', 'updated', 'removed', 'none']),
  /** False when nothing had to be, or was to be, written. */
  written: z.boolean(),
  /** The lines that go and come. */
  diff: z.array(z.string()).readonly(),
  /** Where its program lies; null: it is not to be found here. */
  program: z.string().nullable(),
  /** A variable that it must be started with, because its value is nothing to write down. */
  needs: z.string().nullable(),
})
