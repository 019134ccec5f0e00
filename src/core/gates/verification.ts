/** The gate of a synthesizer: it starts only after the verifier of its swarm has approved the work. */
import type { TaskId } from '../ids.ts'
import { obstacle } from '../reasons/reason.ts'
import type { Obstacle } from '../reasons/reason.ts'
import { isInReview } from '../status.ts'
import { isApproved, isSynthesizer } from '../swarm.ts'
import type { Verification } from '../swarm.ts'
import type { Task } from '../task.ts'

/** Requests the verifier of a synthesizer. No other card has one. */
export const verificationOf = (task: Pick<Task, 'id' | 'swarmRole'> | undefined) => ({
  fact: 'verification' as const,
  synthesizer: task !== undefined && isSynthesizer(task) ? task.id : null,
})

interface Gated {
  readonly task: Pick<Task, 'status'>
  readonly verification?: Verification | null
  readonly openParents: readonly TaskId[]
}

/** While the verifier is unfinished, the reason `parents_open` already names it. */
export function verificationObstacles({ task, verification = null, openParents }: Gated): Obstacle[] {
  // A card in review has already started, so its verifier has approved the work.
  if (verification === null || isInReview(task.status) || isApproved(verification)) return []
  const { verifier } = verification
  if (verifier !== null && openParents.includes(verifier.id)) return []
  return [obstacle('not_approved', { verifier })]
}
