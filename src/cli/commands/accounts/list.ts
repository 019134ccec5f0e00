import { listAccounts } from '../../../operations/agents/list-accounts.ts'
import { oneLine } from '../../escape.ts'
import { accountList } from '../../render/accounts.ts'
import { defineCommand } from '../../command.ts'
import { shellWord } from '../../../util/shell-word.ts'

export const command = defineCommand({
  group: 'work',
  operation: listAccounts,
  aliases: ['accounts', 'accounts ls'],
  examples: ['muster accounts', 'muster accounts list --json'],
  run: async (cli) => {
    const accounts = await cli.ask(listAccounts, {})
    cli.answer(accounts, accountList(accounts, cli.world.terminal))
    const paused = accounts.find(({ state, until }) => state === 'paused' && until === null)
    if (paused === undefined) return
    const resume = `muster accounts resume ${shellWord(oneLine(paused.name))}`
    cli.notice(paused.cause === 'auth' ? `Log in with its CLI, then run: ${resume}` : `To resume: ${resume}`)
  },
})
