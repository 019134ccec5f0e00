import { resolve } from 'node:path'
import { listSkills } from '../../../operations/skills/list-skills.ts'
import { repoFolder } from '../../places.ts'
import { noSkills, skillRow, skillTable } from '../../render/skills.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: listSkills,
  aliases: ['skills', 'skills ls'],
  flags: { repo: repoFolder },
  examples: ['muster skills', 'muster skills list --repo ~/project --json'],
  run: async (cli, { repo }) => {
    const skills = await cli.perform(listSkills, { folder: repo ?? (cli.remote === null ? resolve('.') : null) })
    cli.list(skills, {
      table: skillTable,
      row: skillRow,
      empty: noSkills(cli.remote === null ? cli.options.home : null),
    })
    if (skills.some(({ isUsable }) => !isUsable))
      cli.notice("○ marks an unavailable skill. For details: muster skills show '…'")
  },
})
