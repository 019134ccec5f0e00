import { Option } from 'commander'
import { STATUSES } from '../../core/vocabulary.ts'
import { listTasks } from '../../operations/list-tasks.ts'
import { SORTS } from '../../storage/store.ts'
import type { TaskFilter } from '../../storage/store.ts'
import type { ConfigureVerb } from '../commands.ts'
import { wholeNumber } from '../flags.ts'
import { taskList } from '../render.ts'

type ListFlags = Pick<TaskFilter, 'status' | 'assignee' | 'tenant' | 'session' | 'archived' | 'sort' | 'limit'>

export const configure: ConfigureVerb = (command, begin) => {
  command
    .addOption(new Option('--status <status>', 'only cards in this status').choices(STATUSES))
    .option('--assignee <agent>', 'only cards of this agent')
    .option('--tenant <name>', 'only cards for this tenant')
    .option('--session <id>', 'only cards of this session')
    .option('--archived', 'archived cards too')
    .addOption(new Option('--sort <order>', 'the order').choices(SORTS))
    .option('--limit <n>', 'at most so many', wholeNumber(1))
    .action(async ({ status, assignee, tenant, session, archived, sort, limit }: ListFlags) => {
      const call = begin()
      const filter: TaskFilter = {
        ...(status === undefined ? {} : { status }),
        ...(assignee === undefined ? {} : { assignee: assignee.trim().toLowerCase() }),
        ...(tenant === undefined ? {} : { tenant }),
        ...(session === undefined ? {} : { session }),
        ...(archived === undefined ? {} : { archived }),
        ...(sort === undefined ? {} : { sort }),
        ...(limit === undefined ? {} : { limit }),
      }
      const tasks = await call.query((context) => listTasks.run(context, filter))
      call.answer(tasks, taskList(tasks, { colored: call.world.colors }))
    })
}
