import { countWaiting, requireRoster, viewAgents } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'

/** Lists the agents. This operation is local, because agents belong to a machine and exist before the first board. */
export const listAgents = defineOperation({
  name: 'agents list',
  kind: 'local',
  actor: 'orchestrator',
  scope: 'machine',
  summary: 'List the agents, whether they can run here, and how many cards wait for each.',
  schemas: ({ z, agentView }) => ({
    input: z.object({}),
    output: z.array(agentView).readonly(),
  }),
  run: async (context) => {
    const { home } = context.options
    return viewAgents(home, await requireRoster(context), await countWaiting(context))
  },
})
