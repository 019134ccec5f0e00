/** The names of the skills that a run should have. */
import type { Task } from '../../core/task.ts'

export interface RequestedSkills {
  /** The run does not start without these. */
  readonly required: readonly string[]
  /**
   * Skills that only reviews have. If one is missing, the review starts anyway and the briefing lists it as missing.
   */
  readonly optional: readonly string[]
}

export interface SkillRequest {
  readonly task: Pick<Task, 'skills'>
  readonly role: 'work' | 'review'
  /** The skills in the agent's file. */
  readonly ofAgent: readonly string[]
  /** The board's skills for reviews. */
  readonly ofReviews?: readonly string[]
}

/**
 * The skills for a run. The card's skills replace those of its agent. They are for the work, so a review does not use
 * them.
 */
export function requestedSkills({ task, role, ofAgent, ofReviews = [] }: SkillRequest): RequestedSkills {
  if (role === 'work') return { required: task.skills ?? ofAgent, optional: [] }
  return { required: ofAgent, optional: ofReviews.filter((name) => !ofAgent.includes(name)) }
}
