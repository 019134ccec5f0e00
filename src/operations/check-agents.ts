import { readRoster } from '../workers/roster.ts'
import type { AgentView } from './agent-view.schema.ts'
import { commandOf, isSpelled, noSuchAgent, viewAgents } from './agent-view.ts'
import type { CheckedAgent } from './check-agents.schema.ts'
import { checkClis } from './check-clis.ts'
import { defineOperation } from './operation.ts'

export const checkAgents = defineOperation({
  name: 'agents check',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Check agent files, and say what each agent and its CLI can do here.',
  schemas: () => import('./check-agents.schema.ts'),
  run: async ({ options, env }, { name }) => {
    const agents = await viewAgents(options.home, await readRoster(options.home, env), new Map())
    const wanted = name === undefined ? agents : agents.filter(isSpelled(name))
    if (name !== undefined && wanted.length === 0) throw noSuchAgent(name)
    const only = name === undefined ? null : wanted.map(({ harness }) => harness)
    return { agents: wanted.map(checked), clis: await checkClis({ env, agents, only, forMs: options.versionWaitMs }) }
  },
})

const checked = (agent: AgentView): CheckedAgent => {
  const { name, file, isUsable, problems, program } = agent
  return { name, file, isUsable, problems, runs: program === null ? null : commandOf(agent) }
}
