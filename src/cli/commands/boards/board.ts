import { FILTER_FIELDS } from '../../../core/card-fields.ts'
import { showColumns, SHOWN } from '../../../operations/boards/show-columns.ts'
import { definedOnly } from '../../../util/objects.ts'
import { filterFlags, givenFields } from '../../card-flags.ts'
import { filling, line, toggle, whole } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

/** The default number of cards in each column. Eight cards fit into a terminal; JSON output has more. */
const FEW = 8
const LISTED = 50

export const command = defineCommand({
  group: 'look',
  operation: showColumns,
  flags: {
    ...filterFlags,
    text: line(),
    allBoards: filling('all', toggle('the cards of all boards')),
    limit: whole({ min: 1, max: 500 }, 'at most this many cards in each column (default: 8)'),
  },
  without: {
    without: 'Only the dashboard uses this field, for groups of cards.',
    assignees: 'A terminal shows few columns; muster list selects the cards of several agents.',
    minPriority: 'The columns are in the order of priority and age already.',
    changedSince: 'muster list has filters by time.',
    finishedSince: 'muster list has filters by time.',
    waitsFor: 'muster list --waits-for selects cards by what they wait for.',
    sort: 'muster list has other orders.',
    statuses: 'The command shows all columns; muster list selects statuses.',
  },
  examples: ['muster board', 'muster board --label bug --all-boards', 'muster board --board work --json'],
  run: async (cli, { limit, allBoards, text, ...given }) => {
    const most = limit ?? (cli.json ? LISTED : FEW)
    const filter = { ...givenFields(FILTER_FIELDS, given), ...definedOnly({ text }) }
    const view = await cli.ask(showColumns, { ...filter, all: allBoards === true, statuses: SHOWN, limit: most })
    if (cli.json) return cli.answer(view, '')
    const { columnsText } = await import('../../render/columns.ts')
    cli.answer(view, columnsText(view, { terminal: cli.world.terminal, limit: most }))
  },
})
