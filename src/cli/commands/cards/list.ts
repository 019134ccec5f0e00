import { FILTER_FIELDS } from '../../../core/card-fields.ts'
import { STATUSES } from '../../../core/vocabulary.ts'
import { listTasks } from '../../../operations/cards/list-tasks.ts'
import { SORTS } from '../../../storage/store.ts'
import { definedOnly } from '../../../util/objects.ts'
import { filterFlags, givenFields } from '../../card-flags.ts'
import { card, choice, filling, hidden, line, toggle, whole, withBrief } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: listTasks,
  flags: {
    status: choice(STATUSES, 'only cards in this status'),
    ...filterFlags,
    mine: toggle('only cards assigned to you'),
    workflowTemplateId: hidden(filling('workflow', line('<id>', 'the same as --workflow'))),
    currentStepKey: hidden(filling('step', line('<key>', 'the same as --step'))),
    parent: card('only children of this card'),
    text: line(),
    archived: toggle('include archived cards'),
    sort: withBrief(
      'the order: updated-desc, title, priority, …',
      choice(SORTS, 'the order (default: priority, then age)'),
    ),
    limit: whole({ min: 1 }, 'at most this many cards'),
    after: card('only cards after this one in the order'),
  },
  aliases: ['ls'],
  examples: ['muster list --status blocked --label bug', 'muster list --mine --sort updated-desc'],
  run: async (
    cli,
    { mine, archived, workflowTemplateId, currentStepKey, limit, status, parent, text, sort, after, ...given },
  ) => {
    const filter = {
      ...definedOnly({ workflow: workflowTemplateId, step: currentStepKey }),
      ...givenFields(FILTER_FIELDS, given),
      ...definedOnly({ status, parent, text, sort, after }),
      ...(mine ? { mine } : {}),
      ...(archived ? { archived } : {}),
    }
    if (cli.json) return cli.answer(await cli.ask(listTasks, { ...filter, ...definedOnly({ limit }) }), '')
    // Asks for one more card, which shows whether there is another page.
    const found = await cli.ask(listTasks, { ...filter, ...(limit === undefined ? {} : { limit: limit + 1 }) })
    const tasks = found.slice(0, limit)
    const { taskTable, taskRow } = await import('../../render/task-list.ts')
    cli.list(tasks, { table: taskTable, row: taskRow, empty: 'No matching cards.' })
    if (found.length > tasks.length)
      cli.notice(`There are more cards. For the next ${limit}: add --after ${tasks.at(-1)?.id}`)
  },
})
