import { resolve } from 'node:path'
import { approveTemplates } from '../../../operations/templates/approve-templates.ts'
import { defineCommand } from '../../command.ts'
import { toggle } from '../../flags.ts'
import { EXIT } from '../../output/printer.ts'
import { templatePage } from '../../render/templates.ts'

export const command = defineCommand({
  group: 'more',
  operation: approveTemplates,
  args: {
    folder: {
      arity: 'optional',
      describe: 'the repository (default: the current one)',
      completes: 'file',
      read: (given: readonly string[]): string => resolve(given[0] ?? '.'),
    },
  },
  flags: { yes: toggle() },
  brief: 'Show and approve the templates of a repository',
  examples: ['muster templates approve', 'muster templates approve ~/project --yes'],
  run: async (cli, { folder, yes }) => {
    const found = await cli.perform(approveTemplates, { folder, yes })
    cli.answer(found, found.map(templatePage).join('\n\n'))
    if (yes)
      cli.notice(
        `Approved: ${found
          .filter(({ isApproved }) => isApproved)
          .map(({ name }) => name)
          .join(', ')}.`,
      )
    else if (found.some(({ isApproved }) => !isApproved)) cli.notice('To approve the templates shown here, add --yes.')
    if (found.every(({ problems }) => problems.length === 0)) return
    cli.notice('A template with errors cannot be approved until its file is fixed.')
    cli.exitCode = EXIT.failed
  },
})
