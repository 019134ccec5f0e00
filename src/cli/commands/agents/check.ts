import { checkAgents } from '../../../operations/agents/check-agents.ts'
import { EXIT } from '../../output/printer.ts'
import { agentArgument } from '../../flags.ts'
import { checkReport } from '../../render/agents.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: checkAgents,
  args: {
    name: {
      ...agentArgument,
      arity: 'optional',
      describe: 'only this agent',
      read: (given: readonly string[]): string | undefined => given[0]?.trim().toLowerCase(),
    },
  },
  examples: ['muster agents check', 'muster agents check builder'],
  run: async (cli, { name }) => {
    const checked = await cli.perform(checkAgents, name === undefined ? {} : { name })
    cli.answer(checked, checkReport(checked))
    if (checked.agents.some(({ isUsable }) => !isUsable)) cli.exitCode = EXIT.failed
  },
})
