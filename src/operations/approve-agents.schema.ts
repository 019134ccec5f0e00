import * as z from 'zod'
import { absolutePath } from '../core/fields.ts'

export const input = z.object({
  folder: absolutePath.describe('The repository'),
  yes: z.boolean().default(false).describe('Approve them as they are now'),
})
export const output = z.object({
  folder: z.string(),
  agents: z
    .array(
      z.object({
        name: z.string(),
        file: z.string(),
        description: z.string().nullable(),
        harness: z.string(),
        args: z.array(z.string()).readonly(),
        env: z.array(z.string()).readonly(),
        account: z.string().nullable(),
        permissions: z.string(),
        model: z.string().nullable(),
        provider: z.string().nullable(),
        effort: z.string().nullable(),
        tools: z.array(z.string()).readonly(),
        setup: z.array(z.string()).readonly(),
        checks: z.array(z.string()).readonly(),
        skills: z.array(z.string()).readonly(),
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
