/** The files of a run in Gemini CLI's home folder: the skills, and the policy against writing outside the workspace. */
import { join } from 'node:path'
import type { RunFiles, Job } from '../harness.ts'
import { readableFolders } from '../readable-folders.ts'
import { skillsToLoad } from '../cli-adapter.ts'
import { SKILL_RULE, writeRules } from './policy.ts'

interface SkillFiles extends RunFiles {
  /** Folders in the home folder that contain both files of the run and files of the user. */
  readonly opened: readonly string[]
}

/** The folder for the skills of a run. If a skill is in several folders, Gemini CLI uses the skill in this folder. */
const SKILLS = join('.agents', 'skills')
const POLICIES = join('.gemini', 'policies')

export function skillFiles(job: Job, own: string): SkillFiles {
  const { skills = [], agent } = job
  const loaded = skillsToLoad(job)
  const links = loaded.map(({ name, folder }) => ({ path: join(own, SKILLS, name), target: folder }))
  // An agent with full permissions needs no policy.
  const needsPolicy = agent.permissions !== 'full' && (skills.length > 0 || readableFolders(job).length > 0)
  const content = [...(skills.length > 0 ? [SKILL_RULE] : []), writeRules(job)].join('\n')
  return {
    files: needsPolicy ? [{ path: join(own, POLICIES, 'muster.toml'), content }] : [],
    links,
    opened: [...(loaded.length === 0 ? [] : ['.agents', SKILLS]), ...(needsPolicy ? [POLICIES] : [])],
  }
}
