import * as z from 'zod'
import { AGENT_SETS, CLI_NAMES } from '../../harnesses/detect/clis.ts'

export const input = z.object({
  set: z.enum(AGENT_SETS).describe('Which agents'),
  harness: z.enum(CLI_NAMES).optional().describe('The CLI they run; without it the one that is installed'),
})
export const output = z.object({
  harness: z.enum(CLI_NAMES),
  agents: z
    .array(
      z.object({
        name: z.string(),
        file: z.string(),
        /** False: there is one of this name, and it stays as it is. */
        written: z.boolean(),
      }),
    )
    .readonly(),
})
