import { resolve } from 'node:path'
import { approveAgents } from '../../../operations/agents/approve-agents.ts'
import { EXIT } from '../../output/printer.ts'
import { toggle } from '../../flags.ts'
import { repositoryAgents } from '../../render/agents.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: approveAgents,
  args: {
    folder: {
      arity: 'optional',
      describe: 'the repository (default: the current one)',
      completes: 'file',
      read: (given: readonly string[]): string => resolve(given[0] ?? '.'),
    },
  },
  flags: { yes: toggle() },
  examples: ['muster agents approve', 'muster agents approve ~/project --yes'],
  run: async (cli, { folder, yes }) => {
    const found = await cli.perform(approveAgents, { folder, yes })
    cli.answer(found, repositoryAgents(found))
    if (yes) cli.notice(`Approved: ${found.agents.map(({ name }) => name).join(', ')}.`)
    if (found.agents.some(({ isApproved }) => !isApproved))
      cli.notice(
        '○ marks an agent that is not approved, or has changed since. To approve the agents shown here, add --yes.',
      )
    if (found.unfit.length === 0) return
    cli.notice('✗ marks an agent that cannot be approved until its file is fixed.')
    cli.exitCode = EXIT.failed
  },
})
