/** The skills of a run, and the policy against writing outside the workspace, as files of Gemini CLI's home for the run. */
import { join } from 'node:path'
import type { RunFiles, Job } from '../harness.ts'
import { readableFolders } from '../readable-folders.ts'
import { skillsToLoad } from '../cli-adapter.ts'
import { SKILL_RULE, writeRules } from './policy.ts'

interface SkillFiles extends RunFiles {
  /** Folders of the home that hold files of the run and of the user. */
  readonly opened: readonly string[]
}

/** Takes precedence over Gemini CLI's other skill folder. */
const SKILLS = join('.agents', 'skills')
const POLICIES = join('.gemini', 'policies')

export function skillFiles(job: Job, own: string): SkillFiles {
  const { skills = [], agent } = job
  const loaded = skillsToLoad(job)
  const links = loaded.map(({ name, folder }) => ({ path: join(own, SKILLS, name), target: folder }))
  // Full permissions need no policy.
  const needsPolicy = agent.permissions !== 'full' && (skills.length > 0 || readableFolders(job).length > 0)
  const content = [...(skills.length > 0 ? [SKILL_RULE] : []), writeRules(job)].join('\n')
  return {
    files: needsPolicy ? [{ path: join(own, POLICIES, 'muster.toml'), content }] : [],
    links,
    opened: [...(loaded.length === 0 ? [] : ['.agents', SKILLS]), ...(needsPolicy ? [POLICIES] : [])],
  }
}
