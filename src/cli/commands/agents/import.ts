import { importAgent } from '../../../operations/agents/import-agent.ts'
import { oneLine } from '../../output/escape.ts'
import { fileArgument, toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: importAgent,
  args: { file: { ...fileArgument(), field: 'from' } },
  flags: { force: toggle() },
  examples: ['muster agents import builder.md', 'muster agents import builder.md --force'],
  run: async (cli, { file, force }) => {
    const agent = await cli.perform(importAgent, { from: file, force })
    cli.answer(agent, `Imported agent ${agent.name}: ${oneLine(agent.file ?? '')}`)
    if (agent.permissions === 'full')
      cli.notice('Warning: this agent can do everything that you can (permissions: full).')
    const commands = [...agent.setup, ...agent.checks].map(oneLine)
    if (commands.length > 0) cli.notice(`Its cards run these commands: ${commands.join('; ')}`)
    for (const problem of agent.problems) cli.notice(`Warning: this agent can't run yet. ${oneLine(problem)}`)
  },
})
