/** The skills of a run that an adapter must lay out for its agent. */
import type { Job, RunSkill } from './harness.ts'

/** Those of our own home that its agent is to load by name. A repository's are left to what its CLI looks for itself. */
export const handedOver = ({ skills = [] }: Pick<Job, 'skills'>): readonly RunSkill[] =>
  skills.filter(({ at, isPlain }) => at === 'home' && isPlain)
