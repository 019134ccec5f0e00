import type { Environment } from '../../config/environment.ts'
import { BoardError } from '../../core/errors.ts'
import { starterText } from '../../agents/agent-texts.ts'
import { AGENT_SETS, CLI_NAMES, CLIS } from '../../harnesses/detect/clis.ts'
import type { CliName } from '../../harnesses/detect/clis.ts'
import { findClis } from '../../harnesses/detect/find-clis.ts'
import { STARTER } from '../../agents/starter.ts'
import { writeAgentFile } from './agent-file.ts'
import type { WrittenAgent } from './agent-file.ts'
import { defineOperation } from '../shared/operation.ts'

/** Adds the agents that are missing. If all agents exist, nothing changes. */
export const installAgents = defineOperation({
  name: 'agents install',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Add a team of agents for one agent CLI; existing agents are not overwritten.',
  schemas: ({ z }) => ({
    input: z.object({
      set: z.enum(AGENT_SETS).describe('Which agents'),
      harness: z.enum(CLI_NAMES).optional().describe('The CLI that the agents run; required if several are installed'),
    }),
    output: z.object({
      harness: z.enum(CLI_NAMES),
      agents: z
        .array(
          z.object({
            name: z.string(),
            file: z.string(),
            /** Whether the file was written. An existing file with this name is not changed. */
            written: z.boolean(),
          }),
        )
        .readonly(),
    }),
  }),
  run: async ({ options: { home }, env }, { harness: wanted }) => {
    const harness = chooseCli(wanted, env)
    const agents: WrittenAgent[] = []
    for (const role of STARTER) agents.push(await writeAgentFile(home, role.name, starterText(role, harness, env)))
    return { harness, agents }
  },
})

function chooseCli(wanted: CliName | undefined, env: Environment): CliName {
  const installed = findClis(env).flatMap(({ name, program }) => (program === null ? [] : [name]))
  if (wanted !== undefined && !installed.includes(wanted))
    throw cannotChoose(
      `${wanted} is not on your PATH. Install it (${CLIS[wanted].install}), then run this command again.`,
    )
  const [only, ...others] = wanted === undefined ? installed : [wanted]
  if (only === undefined)
    throw cannotChoose(`No agent CLI is on your PATH (${CLI_NAMES.join(', ')}). Install one first.`)
  if (others.length > 0)
    throw cannotChoose(`Several agent CLIs are installed. Choose one: --harness ${installed.join(' or ')}.`)
  return only
}

const cannotChoose = (message: string): BoardError =>
  new BoardError('invalid_input', message, { details: { field: 'harness' } })
