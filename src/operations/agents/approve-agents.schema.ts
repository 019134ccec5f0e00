import * as z from 'zod'
import { absolutePath } from '../../core/input/fields.ts'
import { agentRights } from './agent-view.schema.ts'

export const input = z.object({
  folder: absolutePath.describe('The repository'),
  yes: z.boolean().default(false).describe('Approve them as they are now'),
})
export const output = z.object({
  folder: z.string(),
  agents: z
    .array(
      agentRights.extend({
        file: z.string(),
        instruction: z.string(),
        /** Of what was shown here. */
        sha256: z.string(),
        isApproved: z.boolean(),
      }),
    )
    .readonly(),
  /** Those that cannot be approved, and why. */
  unfit: z.array(z.object({ name: z.string(), file: z.string(), problems: z.array(z.string()).readonly() })).readonly(),
})
export type RepositoryAgents = z.infer<typeof output>
