import { unwrap } from '../../core/command.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { linkTasks } from './link-tasks.ts'
import { resolveFamily } from './resolve-family.ts'

export const unlinkTasks = defineOperation({
  name: 'unlink',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Remove a dependency between two cards.',
  schemas: () => linkTasks.schemas(),
  run: async ({ store, actor }, typed) => {
    const { board, parent, child } = await resolveFamily(store, typed)
    unwrap(await store.decide({ verb: 'unlink', board, actor, input: { parent, child } }))
    return cardNow(store, { board, id: child })
  },
})
