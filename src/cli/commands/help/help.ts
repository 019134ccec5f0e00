import { argumentList } from '../../flags.ts'
import { defineStandaloneCommand } from '../../command.ts'

export const command = defineStandaloneCommand({
  name: 'help',
  group: 'more',
  operation: null,
  summary: 'Show help for a command, or list all commands.',
  args: { command: { ...argumentList('a command, or a group such as boards'), completes: 'command' } },
  examples: ['muster help', 'muster help create', 'muster help boards'],
  output: async ({ command: words }, manifest, { terminal }) => {
    const [{ helpFor }, { helpWidth }] = await Promise.all([import('../../help.ts'), import('../../help-table.ts')])
    return helpFor(manifest, words, helpWidth(terminal))
  },
})
