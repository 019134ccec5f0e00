/** The output of the `skills` commands. */
import { join } from 'node:path'
import type { SkillDetails } from '../../operations/skills/show-skill.ts'
import type { SkillView } from '../../operations/skills/views.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Cell } from './tsv.ts'
import { cutTo } from './width.ts'
import { indented } from './format-values.ts'

const mark = ({ isUsable }: Pick<SkillView, 'isUsable'>): string => (isUsable ? '●' : '○')

/** The maximum length of a description in the list. `skills show` prints the whole description. */
const DESCRIPTION_MAX = 100

const SOURCES: Readonly<Record<SkillView['from'], string>> = { home: 'data folder', repository: 'repository' }

export const skillRow = ({ name, from, isUsable, description }: SkillView): readonly Cell[] => [
  name,
  from,
  isUsable,
  description,
]

/** Formats the table. Descriptions are cut, so that no line wraps. */
export function skillTable(skills: readonly SkillView[], { columns: width }: Terminal): string {
  const names = Math.max(...skills.map(({ name }) => name.length))
  return skills
    .map((skill) => {
      const about = skill.problems[0] ?? skill.description ?? skill.notes[0] ?? ''
      const short = about.length <= DESCRIPTION_MAX ? about : `${about.slice(0, DESCRIPTION_MAX)}…`
      const line = `${mark(skill)} ${skill.name.padEnd(names)}  ${SOURCES[skill.from].padEnd(SOURCES.home.length)}  ${oneLine(short)}`
      return cutTo(line.trimEnd(), width)
    })
    .join('\n')
}

/** The text if no skills exist. `home` is null for the skills of a server, whose data folder is on another machine. */
export const noSkills = (home: string | null): string =>
  [
    'No skills yet.',
    `Write ${oneLine(join(home ?? '', 'skills', 'reading', 'SKILL.md'))}${home === null ? ' in the data folder of the server' : ''}:`,
    indented('---\nname: reading\ndescription: How we read code before we change it\n---\nRead it twice.'),
    'To use the skill: muster create "Fix the parser" --skill reading',
  ].join('\n')

export function skillPage(skill: SkillDetails): string {
  const facts = [
    ['folder', skill.folder],
    ['from', skill.from === 'home' ? 'your data folder: for every card' : 'a repository: for cards that work there'],
  ]
  return [
    `${mark(skill)} ${skill.name}${skill.description === null ? '' : `  ${oneLine(skill.description)}`}`,
    ...skill.problems.map((problem) => `  ! ${oneLine(problem)}`),
    ...skill.notes.map((note) => `  ! ${oneLine(note)}: its text is added to the prompt`),
    ...facts.map(([label = '', value = '']) => `  ${label.padEnd(12)} ${oneLine(value)}`),
    ...(skill.text === '' ? [] : ['', 'SKILL.md', indented(skill.text.trimEnd())]),
  ].join('\n')
}
