import { readInbox } from '../../../operations/inbox/read-inbox.ts'
import { filling, line, toggle, whole } from '../../flags.ts'
import { inboxText } from '../../render/inbox.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: readInbox,
  flags: {
    limit: whole({ min: 1, max: 500 }, 'at most this many cards (default: 50)'),
    after: line('<position>', 'only items after this position'),
    all: filling('hidden', toggle('include hidden items')),
  },
  without: {
    board: 'The common flag --board sets this field.',
    item: 'muster show has all about one card.',
    kinds: 'The list is sorted by kind.',
    onlyHidden: '--all includes them.',
    steps: 'muster log shows the steps of an agent.',
  },
  examples: ['muster inbox', 'muster inbox --board work', 'muster inbox --json'],
  run: async (cli, { limit = 50, after = null, all }) => {
    const board = cli.typedBoard
    const inbox = await cli.ask(readInbox, { board, limit, after, hidden: all, onlyHidden: false, steps: false })
    const { terminal, now } = cli.world
    const empty = `Nothing${board === null ? '' : ` on board ${board}`} needs you right now.`
    cli.answer(inbox, inbox.items.length === 0 ? empty : inboxText(inbox.items, { terminal, now: now() }))
    if (inbox.next !== null) cli.notice(`There are more items. For the next ${limit}: add --after ${inbox.next}`)
  },
})
