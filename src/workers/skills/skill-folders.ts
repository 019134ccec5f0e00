/** What an adapter must do for the skills of a run: lay some of them out, and let its agent read all of them. */
import { leadsOut } from '../../util/leads-out.ts'
import type { Job } from '../harness.ts'
import type { RunSkill } from './run-skills.ts'

/** Those of our own home that its agent is to load by name. A repository's are left to what its CLI looks for itself. */
export const handedOver = ({ skills = [] }: Pick<Job, 'skills'>): readonly RunSkill[] =>
  skills.filter(({ at, isPlain }) => at === 'home' && isPlain)

/** Folders that it may not enter without being let in. */
export const foldersOutside = ({ skills = [], workspace }: Pick<Job, 'skills' | 'workspace'>): readonly string[] =>
  skills.filter(({ at, folder }) => at === 'home' || leadsOut(workspace, folder)).map(({ folder }) => folder)
