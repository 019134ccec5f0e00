import { countWaiting, requireRoster, viewAgents } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'

/** Local: whether an agent can work is a matter of this machine, and there is a roster before there is a board. */
export const listAgents = defineOperation({
  name: 'agents list',
  kind: 'local',
  actor: 'orchestrator',
  scope: 'machine',
  summary: 'List the agents, whether they can work here, and how many cards wait.',
  schemas: ({ z, agentView }) => ({
    input: z.object({}),
    output: z.array(agentView).readonly(),
  }),
  run: async (context) => {
    const { home } = context.options
    return viewAgents(home, await requireRoster(context), await countWaiting(context))
  },
})
