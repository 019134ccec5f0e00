import { BoardError } from '../../core/errors.ts'
import { suggestNames } from '../../agents/skills/missing-skills.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { viewSkills } from './skill-view.ts'

const schemas = ({ z, absolutePath, skillView }: SchemaKit) => ({
  input: z.object({
    name: z.string().describe('The skill'),
    folder: absolutePath.nullable().default(null).describe('A folder whose repository skills are included'),
  }),
  output: skillView.extend({
    /** The text of the SKILL.md file. */
    text: z.string(),
  }),
})

export type SkillDetails = OutputOf<typeof schemas>

export const showSkill = defineOperation({
  name: 'skills show',
  kind: 'local',
  actor: 'orchestrator',
  scope: 'machine',
  summary: 'Show a skill: its folder and its instructions.',
  schemas,
  run: async ({ options }, { name, folder }) => {
    const skills = await viewSkills(options.home, folder)
    const found = skills.find(({ view }) => view.name === name)
    if (found !== undefined) return { ...found.view, text: found.text }
    const known = [...new Set(skills.map(({ view }) => view.name))]
    throw new BoardError('skill_not_found', `There is no skill ${name}. ${suggestNames([name], known)}`, {
      details: { name, known },
    })
  },
})
