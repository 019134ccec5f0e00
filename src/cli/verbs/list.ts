import { STATUSES } from '../../core/vocabulary.ts'
import { listTasks } from '../../operations/list-tasks.ts'
import { SORTS } from '../../storage/store.ts'
import { agent, choice, text, toggle, whole } from '../flags.ts'
import { taskList } from '../render/task-list.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'look',
  operation: listTasks,
  flags: {
    status: choice(STATUSES, 'only cards in this status'),
    assignee: agent('only cards of this agent'),
    tenant: text('<name>', 'only cards for this tenant'),
    session: text('<id>', 'only cards of this session'),
    archived: toggle('archived cards too'),
    sort: choice(SORTS, 'the order'),
    limit: whole({ min: 1 }, 'at most so many'),
  },
  without: { workflow: 'todo', step: 'todo', parent: 'todo', text: 'todo', after: 'todo' },
  aliases: ['ls'],
  examples: ['muster list', 'muster list --status blocked', 'muster list --assignee coder --json'],
  run: async (call, filter) => {
    const tasks = await call.ask(listTasks, definedOnly(filter))
    call.answer(tasks, taskList(tasks, { colored: call.world.terminal?.colors ?? false }))
  },
})

/** A filter that was not given is not there at all. */
const definedOnly = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
