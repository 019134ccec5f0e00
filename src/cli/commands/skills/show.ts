import { resolve } from 'node:path'
import { showSkill } from '../../../operations/skills/show-skill.ts'
import { skillArgument } from '../../flags.ts'
import { repoFolder } from '../../places.ts'
import { skillPage } from '../../render/skills.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: showSkill,
  args: { name: skillArgument },
  flags: { repo: repoFolder },
  examples: ['muster skills show reading', 'muster skills show reading --json'],
  run: async (cli, { name, repo }) => {
    const skill = await cli.perform(showSkill, { name, folder: repo ?? (cli.remote === null ? resolve('.') : null) })
    cli.answer(skill, skillPage(skill))
  },
})
