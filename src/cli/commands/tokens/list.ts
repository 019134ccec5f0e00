import { listTokens } from '../../../operations/tokens/list-tokens.ts'
import { defineCommand } from '../../command.ts'
import { tokenRow, tokenTable } from '../../render/tokens.ts'

export const command = defineCommand({
  group: 'more',
  operation: listTokens,
  aliases: ['tokens', 'tokens ls'],
  examples: ['muster tokens', 'muster tokens list --json'],
  run: async (cli) => {
    const tokens = await cli.ask(listTokens, {})
    cli.list(tokens, {
      table: tokenTable,
      row: tokenRow,
      empty: 'No tokens. To create one: muster tokens create <name>',
    })
  },
})
