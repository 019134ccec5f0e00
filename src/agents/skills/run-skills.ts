/**
 * Finds the skills of a run. For each skill, decides whether the agent loads it by name or gets its text in the
 * briefing.
 */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { BriefingSkill } from '../../core/briefing/briefing-input.ts'
import type { Workspace } from '../../core/task.ts'
import type { RequestedSkills } from './requested-skills.ts'
import { REPOSITORY_FOLDERS, cardFolder } from './skill-folders.ts'
import { missingSkills } from './missing-skills.ts'
import type { MissingSkills } from './missing-skills.ts'
import { isStandard, splitSkill } from './skill.ts'
import type { RunSkill } from '../../harnesses/harness.ts'
import type { Skill } from './skill.ts'
import { SkillFinder } from './skill-finder.ts'

export interface RunSkills {
  readonly skills: readonly RunSkill[]
  /** The required skills that are missing. Null means that all required skills were found. */
  readonly missing: MissingSkills | null
  /** The optional skills that are missing. */
  readonly absent: readonly string[]
}

export interface SkillSearch {
  readonly home: string
  readonly requested: RequestedSkills
  readonly place: Pick<Workspace, 'kind' | 'path' | 'repo'>
  /** The folder in which the agent works. Null means that the folder does not exist yet. */
  readonly workspace: string | null
}

export async function findRunSkills({ home, requested, place, workspace }: SkillSearch): Promise<RunSkills> {
  const finder = new SkillFinder(home)
  // The skills come from both folders. The worktree has the skills of the card's branch. Uncommitted skills exist only
  // in the repository.
  const folders = [place.kind === 'scratch' ? null : workspace, cardFolder(place)]
  const missing = await missingSkills(finder, requested.required, folders)
  const names = [...requested.required, ...requested.optional]
  const found = await Promise.all(names.map((name) => finder.allNamed(name, folders)))
  const usable = found.flatMap((all) => (all[0]?.fault === null ? [toRunSkill(all[0], all, workspace)] : []))
  const skills = await Promise.all(usable)
  const known = new Set(skills.map(({ name }) => name))
  return { skills, missing, absent: requested.optional.filter((name) => !known.has(name)) }
}

async function toRunSkill(skill: Skill, all: readonly Skill[], workspace: string | null): Promise<RunSkill> {
  const { name, folder, text, from } = skill
  const within = workspace === null ? null : await realpath(workspace).catch(() => null)
  const kind = REPOSITORY_FOLDERS.find((one) => within !== null && folder === join(within, one, 'skills', name))
  return {
    name,
    // CLIs compare this path with real paths, so its symbolic links must be resolved.
    folder: await realpath(folder),
    text,
    at: from === 'home' ? 'home' : (kind ?? 'elsewhere'),
    isPlain: isStandard(skill) && (await areSame(all)),
  }
}

/** Whether all of these paths lead to the same skill. */
async function areSame(all: readonly Skill[]): Promise<boolean> {
  const real = await Promise.all(all.map(({ folder }) => realpath(folder)))
  return real.every((path) => path === real[0])
}

/**
 * The skills for the briefing. Each skill has the name under which the agent loads it, or its text. Missing skills have
 * neither.
 */
export const briefingSkills = (
  { skills, absent }: Pick<RunSkills, 'skills' | 'absent'>,
  nativeName: ((skill: RunSkill) => string | null) | undefined,
): readonly BriefingSkill[] => [
  ...skills.map((skill) => {
    const native = skill.isPlain ? (nativeName?.(skill) ?? null) : null
    const { name, folder, text } = skill
    return { name, folder, native, text: native === null ? splitSkill(text).body : null }
  }),
  ...absent.map((name) => ({ name, folder: null, native: null, text: null })),
]
