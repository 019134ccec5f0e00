/** Which skills a run is asked to have, by name. */
import type { Task } from '../../core/task.ts'

export interface Asked {
  /** Without these the work does not begin. */
  readonly names: readonly string[]
  /** Of a review: what is not there is named as missing, and keeps nobody from reviewing. */
  readonly wished: readonly string[]
}

export interface Asking {
  readonly task: Pick<Task, 'skills'>
  readonly role: 'work' | 'review'
  /** Those of the agent's own file. */
  readonly standing: readonly string[]
  /** Those of the board for reviews. */
  readonly reviewing?: readonly string[]
}

/** What a card says counts instead of what its agent has; how the work is to be done does not say how it is judged. */
export function askedSkills({ task, role, standing, reviewing = [] }: Asking): Asked {
  if (role === 'work') return { names: task.skills ?? standing, wished: [] }
  return { names: standing, wished: reviewing.filter((name) => !standing.includes(name)) }
}
