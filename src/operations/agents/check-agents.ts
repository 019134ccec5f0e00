import { dirname, join } from 'node:path'
import type { Roster } from '../../agents/roster.ts'
import { fallbackFaults } from '../../agents/fallback.ts'
import { probeTools } from '../../harnesses/probe-tools.ts'
import { SHIM } from '../../supervisor/start/library.ts'
import type { AgentView } from './views.ts'
import { commandOf, isSpelled, namesOf, noSuchAgent, requireRoster, viewAgents } from './agent-view.ts'
import type { CheckedAgent } from './views.ts'
import { checkClis } from './check-clis.ts'
import { checkAcpAgent, cliBehind } from './check-acp-agent.ts'
import { defineOperation } from '../shared/operation.ts'

/**
 * The factor by which the timeout for an ACP agent is longer than the timeout for the version of a CLI. An agent takes
 * longer to answer over ACP than to print its version.
 */
const ACP_TIMEOUT_FACTOR = 3

export const checkAgents = defineOperation({
  name: 'agents check',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Check agent files, and show what each agent and its CLI can do on this machine.',
  schemas: ({ z, count, name, checkedAgent, checkedCli }) => ({
    input: z.object({ name: name.optional().describe('Only this agent') }),
    output: z.object({
      agents: z.array(checkedAgent).readonly(),
      /** The checked agent CLIs. If the caller named an agent, the list has only the CLI of this agent. */
      clis: z.array(checkedCli).readonly(),
      /**
       * The number of board tools that a worker would see, counted in the same way as in an agent CLI. Null means that
       * the tools were not tested.
       */
      tools: z.object({ count: count.nullable(), fault: z.string().nullable() }).nullable(),
    }),
  }),
  run: async (context, { name }) => {
    const { options, env, commandLine } = context
    const roster = await requireRoster(context)
    const agents = await viewAgents(options.home, roster, new Map())
    const wanted = name === undefined ? agents : agents.filter(isSpelled(name))
    if (name !== undefined && wanted.length === 0) throw noSuchAgent(name, namesOf(agents))
    const only = name === undefined ? null : wanted.map((agent) => cliBehind(agent) ?? agent.harness)
    const forMs = options.versionWaitMs
    const [checkedAgents, clis] = await Promise.all([
      Promise.all(
        wanted.map(async (agent) =>
          checked(agent, roster, await checkAcpAgent(agent, { env, forMs: ACP_TIMEOUT_FACTOR * forMs })),
        ),
      ),
      checkClis({ env, agents, only, forMs }),
    ])
    const shim = clis.some(({ program }) => program !== null) ? shimOf(commandLine) : null
    return { agents: checkedAgents, clis, tools: shim === null ? null : await probeTools(shim, { env, forMs }) }
  },
})

/** The command of the tool server (the shim). Its script is in the same folder as the script of the command line. */
const shimOf = (commandLine: readonly string[] | undefined): readonly string[] | null =>
  commandLine === undefined ? null : [process.execPath, join(dirname(commandLine.at(-1) ?? ''), SHIM)]

const checked = (agent: AgentView, roster: Roster, spoken: CheckedAgent['spoken']): CheckedAgent => {
  const { name, file, program } = agent
  const fault = spoken?.fault ?? null
  const local = roster.agents.get(name)
  const problems = [
    ...agent.problems,
    ...(local === undefined ? [] : fallbackFaults(local, roster)),
    ...(fault === null ? [] : [`Agent ${name} does not work over ACP: ${fault}.`]),
  ]
  return {
    name,
    file,
    harness: agent.harness,
    isUsable: problems.length === 0,
    problems,
    runs: program === null ? null : commandOf(agent),
    spoken,
  }
}
