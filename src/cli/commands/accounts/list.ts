import { listAccounts } from '../../../operations/agents/list-accounts.ts'
import { oneLine } from '../../output/escape.ts'
import { accountRow, accountTable } from '../../render/accounts.ts'
import { defineCommand } from '../../command.ts'
import { shellWord } from '../../../util/shell-word.ts'

export const command = defineCommand({
  group: 'work',
  operation: listAccounts,
  aliases: ['accounts', 'accounts ls'],
  examples: ['muster accounts', 'muster accounts list --json'],
  run: async (cli) => {
    const accounts = await cli.ask(listAccounts, {})
    cli.list(accounts, { table: accountTable, row: accountRow, empty: 'No accounts.' })
    const paused = accounts.find(({ state, until }) => state === 'paused' && until === null)
    if (paused === undefined) return
    const resume = `muster accounts resume ${shellWord(oneLine(paused.name))}`
    cli.notice(paused.cause === 'auth' ? `Log in with its CLI, then run: ${resume}` : `To resume: ${resume}`)
  },
})
