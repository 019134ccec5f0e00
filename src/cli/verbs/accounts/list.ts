import { listAccounts } from '../../../operations/list-accounts.ts'
import { accountList } from '../../render/accounts.ts'
import { defineVerb } from '../../verb.ts'

export const verb = defineVerb({
  group: 'work',
  operation: listAccounts,
  aliases: ['accounts', 'accounts ls'],
  examples: ['muster accounts', 'muster accounts list --json'],
  run: async (call) => {
    const accounts = await call.ask(listAccounts, {})
    call.answer(accounts, accountList(accounts, call.world.terminal))
  },
})
