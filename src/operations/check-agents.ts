import { readRoster } from '../workers/roster.ts'
import type { AgentView } from './agent-view.schema.ts'
import { isSpelled, noSuchAgent, viewAgents } from './agent-view.ts'
import type { CheckedAgent } from './check-agents.schema.ts'
import { defineOperation } from './operation.ts'

export const checkAgents = defineOperation({
  name: 'agents check',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Check agent files, and say what each agent would run here.',
  schemas: () => import('./check-agents.schema.ts'),
  run: async ({ options }, { name }) => {
    const agents = viewAgents(await readRoster(options.home), new Map())
    const wanted = name === undefined ? agents : agents.filter(isSpelled(name))
    if (name !== undefined && wanted.length === 0) throw noSuchAgent(name)
    return wanted.map(checked)
  },
})

const checked = ({ name, file, isUsable, problems, program, args }: AgentView): CheckedAgent => ({
  name,
  file,
  isUsable,
  problems,
  runs: program === null ? null : [program, ...args.slice(1)],
})
