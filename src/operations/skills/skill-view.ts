/** Describes the skills on this machine and their problems. */
import { readFrontMatter } from '../../agents/front-matter.ts'
import { isStandard, splitSkill } from '../../agents/skills/skill.ts'
import type { Skill } from '../../agents/skills/skill.ts'
import { SkillFinder } from '../../agents/skills/skill-finder.ts'
import type { SkillView } from './views.ts'

type Yaml = Parameters<typeof readFrontMatter>[1]

export interface SkillWithText {
  readonly view: SkillView
  readonly text: string
}

/** The skills of the data folder, and of the repository that contains a folder. The list is sorted by name. */
export async function viewSkills(home: string, folder: string | null): Promise<readonly SkillWithText[]> {
  const skills = await new SkillFinder(home).all([folder])
  const yaml = await import('yaml')
  return skills.map((skill, at) => {
    const first = skills.findIndex(({ name }) => name === skill.name)
    return { view: viewSkill(skill, at === first ? null : (skills[first] ?? null), yaml), text: skill.text }
  })
}

function viewSkill(skill: Skill, hiddenBy: Skill | null, yaml: Yaml): SkillView {
  const { name, from, folder, fault } = skill
  const head = headOf(skill, yaml)
  const hidden = hiddenBy === null ? [] : [`${hiddenBy.folder} is used instead`]
  const problems = [...(fault === null ? [] : [fault]), ...hidden]
  const notes = fault === null ? head.notes : []
  return { name, description: head.description, from, folder, isUsable: problems.length === 0, problems, notes }
}

/** The description of a skill, and the reasons why an agent CLI cannot load the skill by name. */
function headOf(skill: Skill, yaml: Yaml): { readonly description: string | null; readonly notes: readonly string[] } {
  if (splitSkill(skill.text).head === null)
    return { description: null, notes: ['SKILL.md has no front matter with name and description'] }
  const read = readFrontMatter(skill.text, yaml)
  if ('message' in read) return { description: null, notes: [`SKILL.md:${read.line}: ${read.message}`] }
  const description = lineIn(read.entries.get('description')?.value)
  const named = lineIn(read.entries.get('name')?.value)
  const notes = [
    ...(named === skill.name
      ? []
      : [
          named === null
            ? `the front matter has no name: write name: ${skill.name}`
            : `the front matter has the name ${named}: write name: ${skill.name}`,
        ]),
    ...(description === null ? ['the front matter has no description: write one'] : []),
  ]
  const unparsed =
    notes.length === 0 && !isStandard(skill)
      ? ['the front matter is hard to parse: write name and description as plain lines']
      : []
  return { description, notes: [...notes, ...unparsed] }
}

const lineIn = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().replace(/\s+/g, ' ') : null
