/** The names of the skills that a run should get. */
import type { Task } from '../../core/task.ts'

export interface RequestedSkills {
  /** If one of these skills is missing, the run does not start. */
  readonly required: readonly string[]
  /**
   * Skills that only reviews get. If such a skill is missing, the review starts anyway, and the briefing lists the
   * skill as missing.
   */
  readonly optional: readonly string[]
}

export interface SkillRequest {
  readonly task: Pick<Task, 'skills'>
  readonly role: 'work' | 'review'
  readonly ofAgent: readonly string[]
  /** The skills that the board's settings add to reviews. */
  readonly ofReviews?: readonly string[]
}

/**
 * The skills for a run. The skills that a card names replace the skills of its agent. The card's skills are for the
 * work, so a review does not use them.
 */
export function requestedSkills({ task, role, ofAgent, ofReviews = [] }: SkillRequest): RequestedSkills {
  if (role === 'work') return { required: task.skills ?? ofAgent, optional: [] }
  return { required: ofAgent, optional: ofReviews.filter((name) => !ofAgent.includes(name)) }
}
