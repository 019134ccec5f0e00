import { exportAgent } from '../../../operations/agents/export-agent.ts'
import { oneLine } from '../../output/escape.ts'
import { agentArgument, file } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: exportAgent,
  args: { name: agentArgument },
  flags: { to: file('the file to write, instead of standard output') },
  examples: ['muster agents export builder --to builder.md', 'muster agents export builder'],
  run: async (cli, { name, to }) => {
    const made = await cli.perform(exportAgent, { name, to })
    const text = made.path === null ? made.text.trimEnd() : `Exported agent ${made.name} to ${oneLine(made.path)}.`
    cli.content(made, text)
  },
})
