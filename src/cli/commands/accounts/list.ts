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
  run: async (call) => {
    const accounts = await call.ask(listAccounts, {})
    call.answer(accounts, accountList(accounts, call.world.terminal))
    const shut = accounts.find(({ state, until }) => state === 'paused' && until === null)
    if (shut === undefined) return
    const first = shut.cause === 'auth' ? 'Log in to its program; then ' : ''
    call.notice(`${first}muster accounts resume ${shellWord(oneLine(shut.name))} opens it again.`)
  },
})
