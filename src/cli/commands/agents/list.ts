import { listAgents } from '../../../operations/agents/list-agents.ts'
import { agentRow, agentTable } from '../../render/agents.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: listAgents,
  aliases: ['agents', 'agents ls'],
  examples: ['muster agents', 'muster agents list --json'],
  run: async (cli) => {
    const agents = await cli.perform(listAgents, {})
    cli.list(agents, {
      table: agentTable,
      row: agentRow,
      empty: 'No agents. To find the CLIs on this machine: muster init',
    })
    if (agents.some(({ isUsable }) => !isUsable))
      cli.notice('○ marks an unavailable agent. For details: muster agents check')
  },
})
