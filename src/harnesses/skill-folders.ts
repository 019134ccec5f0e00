import type { Job, RunSkill } from './harness.ts'

/** The user's skills that the agent loads by name, which its adapter must lay out. CLIs find a repository's themselves. */
export const handedOver = ({ skills = [] }: Pick<Job, 'skills'>): readonly RunSkill[] =>
  skills.filter(({ at, isPlain }) => at === 'home' && isPlain)
