import { resolve } from 'node:path'
import { approveAgents } from '../../../operations/agents/approve-agents.ts'
import { EXIT } from '../../exit-codes.ts'
import { toggle } from '../../flags.ts'
import { repositoryAgents } from '../../render/agents.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: approveAgents,
  args: {
    folder: {
      arity: 'optional',
      describe: 'the repository; without it the one you are in',
      completes: 'file',
      read: (given: readonly string[]): string => resolve(given[0] ?? '.'),
    },
  },
  flags: { yes: toggle() },
  examples: ['muster agents approve', 'muster agents approve ~/project --yes'],
  run: async (cli, { folder, yes }) => {
    const found = await approveAgents.run(cli.local, { folder, yes })
    cli.answer(found, repositoryAgents(found))
    if (yes) cli.notice(`Approved: ${found.agents.map(({ name }) => name).join(', ')}.`)
    if (found.agents.some(({ isApproved }) => !isApproved))
      cli.notice('○ is not approved, or has changed since: the same with --yes approves what is shown here.')
    if (found.unfit.length === 0) return
    cli.notice('✗ cannot be approved: mend its file. The others can.')
    cli.exitCode = EXIT.failed
  },
})
