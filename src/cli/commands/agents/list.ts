import { listAgents } from '../../../operations/agents/list-agents.ts'
import { agentList } from '../../render/agents.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: listAgents,
  aliases: ['agents', 'agents ls'],
  examples: ['muster agents', 'muster agents list --json'],
  run: async (call) => {
    const agents = await listAgents.run(call.local, {})
    call.answer(agents, agentList(agents, call.world.terminal))
    if (agents.some(({ isUsable }) => !isUsable))
      call.notice('○ cannot work here: muster agents check says what to mend.')
  },
})
