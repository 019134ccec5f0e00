import { restoreItem } from '../../../operations/inbox/restore-item.ts'
import { argument } from '../../flags.ts'
import { titleOf } from '../../render/inbox.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: restoreItem,
  args: { id: { ...argument('a hidden card or account'), completes: 'card', field: 'item' } },
  examples: ['muster inbox restore t_4k2'],
  run: async (cli, { id }) => {
    const item = await cli.ask(restoreItem, { item: id })
    cli.answer(item, `In the inbox again: ${titleOf(item)}  ${item.id}`)
  },
})
