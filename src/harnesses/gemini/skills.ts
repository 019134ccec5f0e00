/** Puts the skills of a run, and the policy against writing outside the workspace, into Gemini CLI's home of the run. */
import { join } from 'node:path'
import type { RunFiles, Job } from '../harness.ts'
import { readableFolders } from '../readable-folders.ts'
import { skillsToLoad } from '../cli-adapter.ts'
import { SKILL_RULE, writeRules } from './policy.ts'

interface SkillFiles extends RunFiles {
  /** Folders of the home that hold something of ours beside what is the user's. */
  readonly opened: readonly string[]
}

/** Of its own folders the one that counts more: what is handed over is what is meant. */
const SKILLS = join('.agents', 'skills')
const POLICIES = join('.gemini', 'policies')

export function skillFiles(job: Job, own: string): SkillFiles {
  const { skills = [], agent } = job
  const handed = skillsToLoad(job)
  const links = handed.map(({ name, folder }) => ({ path: join(own, SKILLS, name), target: folder }))
  // With full permissions it asks for nothing, and nothing is kept from it.
  const needsPolicy = agent.permissions !== 'full' && (skills.length > 0 || readableFolders(job).length > 0)
  const content = [...(skills.length > 0 ? [SKILL_RULE] : []), writeRules(job)].join('\n')
  return {
    files: needsPolicy ? [{ path: join(own, POLICIES, 'muster.toml'), content }] : [],
    links,
    opened: [...(handed.length === 0 ? [] : ['.agents', SKILLS]), ...(needsPolicy ? [POLICIES] : [])],
  }
}
