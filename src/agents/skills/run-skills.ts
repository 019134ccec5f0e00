/** Finds the skills of one run, and how its agent gets each. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { BriefingSkill } from '../../core/briefing/briefing-input.ts'
import type { Workspace } from '../../core/task.ts'
import type { Asked } from './asked-skills.ts'
import { REPOSITORY_FOLDERS, folderOf } from './card-shelves.ts'
import { missingSkills } from './missing-skills.ts'
import type { Missing } from './missing-skills.ts'
import { isStandard, splitSkill } from './skill.ts'
import type { RunSkill } from '../../harnesses/harness.ts'
import type { Skill } from './skill.ts'
import { SkillFinder } from './skill-finder.ts'

export interface RunSkills {
  readonly skills: readonly RunSkill[]
  /** Required skills that are missing; null: none. */
  readonly missing: Missing | null
  /** Optional skills that are missing. */
  readonly wanting: readonly string[]
}

export interface Searched {
  readonly home: string
  readonly asked: Asked
  readonly place: Pick<Workspace, 'kind' | 'path' | 'repo'>
  /** The folder of the agent; null before it exists. */
  readonly workspace: string | null
}

export async function findRunSkills({ home, asked, place, workspace }: Searched): Promise<RunSkills> {
  const finder = new SkillFinder(home)
  // The worktree has the card's branch; only the repository has uncommitted skills.
  const folders = [place.kind === 'scratch' ? null : workspace, folderOf(place)]
  const missing = await missingSkills(finder, asked.names, folders)
  const names = [...asked.names, ...asked.wished]
  const found = await Promise.all(names.map((name) => finder.allNamed(name, folders)))
  const usable = found.flatMap((all) => (all[0]?.fault === null ? [placed(all[0], all, workspace)] : []))
  const skills = await Promise.all(usable)
  const known = new Set(skills.map(({ name }) => name))
  return { skills, missing, wanting: asked.wished.filter((name) => !known.has(name)) }
}

async function placed(skill: Skill, all: readonly Skill[], workspace: string | null): Promise<RunSkill> {
  const { name, folder, text, from } = skill
  const within = workspace === null ? null : await realpath(workspace).catch(() => null)
  const kind = REPOSITORY_FOLDERS.find((one) => within !== null && folder === join(within, one, 'skills', name))
  return {
    name,
    // The real path: CLIs compare it with the real path of a file.
    folder: await realpath(folder),
    text,
    at: from === 'home' ? 'home' : (kind ?? 'elsewhere'),
    isPlain: isStandard(skill) && (await areSame(all)),
  }
}

/** Whether they are links to one skill. */
async function areSame(all: readonly Skill[]): Promise<boolean> {
  const real = await Promise.all(all.map(({ folder }) => realpath(folder)))
  return real.every((path) => path === real[0])
}

/** For the briefing: the name under which the agent loads each skill, or its text. */
export const briefingSkills = (
  { skills, wanting }: Pick<RunSkills, 'skills' | 'wanting'>,
  nativeName: ((skill: RunSkill) => string | null) | undefined,
): readonly BriefingSkill[] => [
  ...skills.map((skill) => {
    const native = skill.isPlain ? (nativeName?.(skill) ?? null) : null
    const { name, folder, text } = skill
    return { name, folder, native, text: native === null ? splitSkill(text).body : null }
  }),
  ...wanting.map((name) => ({ name, folder: null, native: null, text: null })),
]
