import * as z from 'zod'
import { slug } from '../../core/input/fields.ts'
import { CLI_NAMES } from '../../harnesses/detect/clis.ts'

export const input = z.object({ board: slug.describe('A board to make besides the first one').optional() })
export const output = z.object({
  home: z.string(),
  /** Where the store is, without a password. */
  store: z.string(),
  board: slug,
  /** False when everything was there already. */
  created: z.boolean(),
  /** The agent CLIs that were looked for on the PATH, each with the agent that was written for it. */
  clis: z
    .array(
      z.object({
        name: z.enum(CLI_NAMES),
        /** Where it was found; null: it was not. */
        program: z.string().nullable(),
        /** The file of the agent of its name; null where the CLI was not found. */
        file: z.string().nullable(),
        /** Whether that was written now. One that is there stays as it is. */
        written: z.boolean(),
        /** What keeps a file that was there from being used. */
        problem: z.string().nullable(),
        /** Whether its adapter was ever tried with the program itself. */
        isProved: z.boolean(),
      }),
    )
    .readonly(),
})
export type MadeHome = z.infer<typeof output>
