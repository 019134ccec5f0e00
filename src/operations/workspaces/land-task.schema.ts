import * as z from 'zod'
import { line, taskId } from '../../core/input/fields.ts'
import { LANDINGS } from '../../workspaces/landing/land-branch.ts'
import { STRATEGIES } from '../../workspaces/landing/landing-commit.ts'
import { typedCard } from '../shared/card-fields.ts'

const strategy = z.enum(STRATEGIES)

export const input = z.object({
  task: typedCard,
  strategy: strategy.nullable().default(null).describe('How the commits of the card become part of the branch'),
  into: line.nullable().default(null).describe('The branch to land on; otherwise the one that the worktree began from'),
})
export const output = z.object({
  id: taskId,
  commit: z.string(),
  into: z.string(),
  branch: z.string(),
  strategy,
  /** Whether the branch got a commit, had the work already, or the card changes nothing. */
  outcome: z.enum(LANDINGS),
})
export type LandedCard = z.infer<typeof output>
