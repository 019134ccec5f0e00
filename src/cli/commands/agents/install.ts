import { dirname } from 'node:path'
import { installAgents } from '../../../operations/agents/install-agents.ts'
import { AGENT_SETS, CLI_NAMES } from '../../../harnesses/detect/clis.ts'
import { oneLine } from '../../output/escape.ts'
import { choice, choiceArgument } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: installAgents,
  args: {
    set: choiceArgument(AGENT_SETS, 'starter: orchestrator, researcher, writer, analyst, engineer, reviewer, ops'),
  },
  flags: { harness: choice(CLI_NAMES) },
  examples: ['muster agents install starter --harness claude'],
  run: async (cli, { set, harness }) => {
    const installed = await cli.perform(installAgents, { set, harness })
    const { agents } = installed
    const [written, kept] = [true, false].map((which) =>
      agents.filter((agent) => agent.written === which).map(({ name }) => name),
    )
    const folder = oneLine(dirname(agents[0]?.file ?? ''))
    const lines = [
      ...(written?.length ? [`Added ${written.join(', ')} for ${installed.harness} in ${folder}.`] : []),
      ...(kept?.length ? [`Not overwritten: ${kept.join(', ')}.`] : []),
    ]
    cli.answer(installed, lines.join('\n'))
  },
})
