import { showTask } from '../../../operations/cards/show-task.ts'
import { tailTask } from '../../../operations/cards/tail-task.ts'
import { definedOnly } from '../../../util/objects.ts'
import { cardId, filling, line, toggle } from '../../flags.ts'
import { oneLine } from '../../output/escape.ts'
import { isForPeople, printEvents } from '../../output/print-events.ts'
import { defineCommand } from '../../command.ts'
import type { Invocation } from '../../invocation.ts'

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
      const card = await findCard(cli, id)
      if (card !== null) cli.notice(`${card.id}  ${oneLine(card.title)}`)
    }
    await printEvents(cli, cli.follow(tailTask, { task: id, follow: !noFollow, ...definedOnly({ since }) }), {
      card: false,
    })
  },
})

/** Finds the card. A wrong id is not an error here, because the stream reports it. */
async function findCard(
  cli: Invocation,
  typed: string,
): Promise<{ readonly id: string; readonly title: string } | null> {
  if (cli.remote !== null) return cli.ask(showTask, { task: typed }).catch(() => null)
  const { store } = await cli.board('read')
  const [card, other] = await store.tasksByPrefix(typed.trim().toLowerCase(), { deleted: true })
  return card === undefined || other !== undefined ? null : card
}
