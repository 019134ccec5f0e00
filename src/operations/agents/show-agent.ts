import { countWaiting, isSpelled, namesOf, noSuchAgent, requireRoster, viewAgents } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'

const schemas = ({ z, name, agentView }: SchemaKit) => ({
  input: z.object({ name: name.describe('The agent') }),
  output: agentView.extend({
    /** The instruction in the agent file. */
    instruction: z.string(),
  }),
})

export type AgentDetails = OutputOf<typeof schemas>

export const showAgent = defineOperation({
  name: 'agents show',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Show an agent: how it runs, its limits and its instructions.',
  schemas,
  run: async (context, { name }) => {
    const { home } = context.options
    const roster = await requireRoster(context)
    const agents = await viewAgents(home, roster, await countWaiting(context))
    const found = agents.find((agent) => agent.name === name) ?? agents.find(isSpelled(name))
    if (found === undefined) throw noSuchAgent(name, namesOf(agents))
    return { ...found, instruction: roster.agents.get(name)?.instruction ?? '' }
  },
})
