import { finishItem } from '../../../operations/inbox/finish-item.ts'
import { argument } from '../../flags.ts'
import { titleOf } from '../../render/inbox.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: finishItem,
  args: { id: { ...argument('a card or an account in the inbox'), completes: 'card', field: 'item' } },
  examples: ['muster inbox done t_4k2'],
  run: async (cli, { id }) => {
    const item = await cli.ask(finishItem, { item: id })
    cli.answer(item, `Hidden until the next change: ${titleOf(item)}  ${item.id}`)
  },
})
