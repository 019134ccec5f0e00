import { resolve } from 'node:path'
import { showTemplate } from '../../../operations/templates/show-template.ts'
import { defineCommand } from '../../command.ts'
import { argument } from '../../flags.ts'
import { templatePage } from '../../render/templates.ts'

export const command = defineCommand({
  group: 'more',
  operation: showTemplate,
  args: { template: argument('the name of the template') },
  without: { folder: 'The current folder.' },
  examples: ['muster templates show release'],
  run: async (cli, { template }) => {
    const found = await cli.perform(showTemplate, { template, folder: cli.remote === null ? resolve('.') : null })
    cli.answer(found, templatePage(found))
  },
})
