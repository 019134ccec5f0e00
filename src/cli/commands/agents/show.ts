import { showAgent } from '../../../operations/agents/show-agent.ts'
import { agentArgument } from '../../flags.ts'
import { agentPage } from '../../render/agents.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: showAgent,
  args: { name: agentArgument },
  examples: ['muster agents show builder', 'muster agents show builder --json'],
  run: async (cli, { name }) => {
    const agent = await cli.perform(showAgent, { name })
    cli.answer(agent, agentPage(agent))
  },
})
