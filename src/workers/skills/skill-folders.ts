/** The skills of a run that an adapter must lay out for its agent. */
import type { Job } from '../harness.ts'
import type { RunSkill } from './run-skills.ts'

/** Those of our own home that its agent is to load by name. A repository's are left to what its CLI looks for itself. */
export const handedOver = ({ skills = [] }: Pick<Job, 'skills'>): readonly RunSkill[] =>
  skills.filter(({ at, isPlain }) => at === 'home' && isPlain)
