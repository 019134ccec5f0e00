import { resolve } from 'node:path'
import { listSkills } from '../../../operations/skills/list-skills.ts'
import { around } from '../../places.ts'
import { skillList } from '../../render/skills.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: listSkills,
  aliases: ['skills', 'skills ls'],
  flags: { repo: around },
  examples: ['muster skills', 'muster skills list --repo ~/project --json'],
  run: async (call, { repo }) => {
    const skills = await listSkills.run(call.local, { folder: repo ?? resolve('.') })
    call.answer(skills, skillList(skills, call.options.home, call.world.terminal))
    if (skills.some(({ isUsable }) => !isUsable)) call.notice('○ is not used: muster skills show says why.')
  },
})
