import { tailTask } from '../../../operations/cards/tail-task.ts'
import { definedOnly } from '../../../util/objects.ts'
import { cardId, filling, line, toggle } from '../../flags.ts'
import { oneLine } from '../../output/escape.ts'
import { isForPeople, printEvents } from '../../output/print-events.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: tailTask,
  summary: 'Print the events of a card and follow new ones until you press Ctrl-C.',
  args: { id: cardId },
  flags: {
    since: line('<cursor>', 'start after the event with this cursor (see --json)'),
    noFollow: filling('follow', toggle('stop after the latest event')),
  },
  brief: 'Follow the events of a card',
  examples: ['muster tail t_4k2', 'muster tail t_4k2 --no-follow --json', 'muster tail t_4k2 --since 5f3a:120'],
  run: async (cli, { id, since, noFollow }) => {
    if (isForPeople(cli)) {
      const { store } = await cli.board('read')
      const [card, other] = await store.tasksByPrefix(id.trim().toLowerCase(), { deleted: true })
      if (card !== undefined && other === undefined) cli.notice(`${card.id}  ${oneLine(card.title)}`)
    }
    await printEvents(cli, cli.follow(tailTask, { task: id, follow: !noFollow, ...definedOnly({ since }) }), {
      card: false,
    })
  },
})
