import { resolve } from 'node:path'
import { listTemplates } from '../../../operations/templates/list-templates.ts'
import { defineCommand } from '../../command.ts'
import { templateRow, templateTable } from '../../render/templates.ts'

export const command = defineCommand({
  group: 'more',
  operation: listTemplates,
  aliases: ['templates', 'templates ls'],
  without: { folder: 'The current folder.' },
  examples: ['muster templates', 'muster templates list --json'],
  run: async (cli) => {
    const found = await cli.perform(listTemplates, { folder: cli.remote === null ? resolve('.') : null })
    cli.list(found, {
      table: templateTable,
      row: templateRow,
      empty: `No templates. Add files to ${cli.options.home}/templates or to .muster/templates of a repository.`,
    })
    if (found.some(({ isApproved }) => !isApproved))
      cli.notice('To approve the templates here: muster templates approve')
  },
})
