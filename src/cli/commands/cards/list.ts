import { STATUSES } from '../../../core/vocabulary.ts'
import { listTasks } from '../../../operations/cards/list-tasks.ts'
import { SORTS } from '../../../storage/store.ts'
import { definedOnly } from '../../../util/defined-only.ts'
import { agentOrNone, card, choice, filling, line, toggle, whole } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: listTasks,
  flags: {
    status: choice(STATUSES, 'only cards in this status'),
    assignee: agentOrNone('only cards of this agent (none: of nobody)'),
    mine: toggle('only cards assigned to you'),
    tenant: line('<name>'),
    session: line('<id>'),
    workflow: line('<id>'),
    workflowTemplateId: filling('workflow', line('<id>', 'the same as --workflow')),
    step: line('<key>'),
    currentStepKey: filling('step', line('<key>', 'the same as --step')),
    parent: card('only children of this card'),
    text: line('<words>'),
    archived: toggle('archived cards too'),
    sort: choice(SORTS, 'the order: updated-desc, title, priority, …'),
    limit: whole({ min: 1 }, 'at most so many'),
    after: card('only what comes behind this card'),
  },
  aliases: ['ls'],
  examples: [
    'muster list --status blocked',
    'muster list --mine --sort updated-desc',
    'muster list --limit 50 --after t_4k2',
  ],
  run: async (call, { mine, archived, workflowTemplateId, currentStepKey, limit, ...given }) => {
    const filter = {
      ...definedOnly({ workflow: workflowTemplateId, step: currentStepKey }),
      ...definedOnly(given),
      ...(mine ? { mine } : {}),
      ...(archived ? { archived } : {}),
    }
    if (call.json) return call.answer(await call.ask(listTasks, { ...filter, ...definedOnly({ limit }) }), '')
    // One more than asked for tells whether there is more.
    const found = await call.ask(listTasks, { ...filter, ...(limit === undefined ? {} : { limit: limit + 1 }) })
    const tasks = found.slice(0, limit)
    const { taskList } = await import('../../render/task-list.ts')
    call.answer(tasks, taskList(tasks, call.world.terminal))
    if (found.length > tasks.length)
      call.notice(`There are more: add --after ${tasks.at(-1)?.id} for the next ${limit}.`)
  },
})
