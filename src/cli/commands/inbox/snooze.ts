import { snoozeItem } from '../../../operations/inbox/snooze-item.ts'
import { argument, laterMoment } from '../../flags.ts'
import { localTime } from '../../render/format-values.ts'
import { titleOf } from '../../render/inbox.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: snoozeItem,
  args: { id: { ...argument('a card or an account in the inbox'), completes: 'card', field: 'item' } },
  flags: { until: laterMoment('when to show the item again (default: +2h)') },
  examples: ['muster inbox snooze t_4k2', 'muster inbox snooze t_4k2 --until tomorrow'],
  run: async (cli, { id, until = null }) => {
    const item = await cli.ask(snoozeItem, { item: id, until })
    cli.answer(item, `Hidden until ${localTime(item.until)}, or until the next change: ${titleOf(item)}  ${item.id}`)
  },
})
