import { listAgents } from '../../../operations/agents/list-agents.ts'
import { agentList } from '../../render/agents.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: listAgents,
  aliases: ['agents', 'agents ls'],
  examples: ['muster agents', 'muster agents list --json'],
  run: async (cli) => {
    const agents = await listAgents.run(cli.local, {})
    cli.answer(agents, agentList(agents, cli.world.terminal))
    if (agents.some(({ isUsable }) => !isUsable)) cli.notice('○ unavailable; for details: muster agents check')
  },
})
