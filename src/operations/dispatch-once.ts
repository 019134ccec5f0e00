import { defineOperation } from './operation.ts'

export const dispatchOnce = defineOperation({
  name: 'dispatch',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Make one pass: settle what was lost, wake what is due, start what may start.',
  schemas: () => import('./dispatch-once.schema.ts'),
  run: async ({ options, openStore, dispatcher }, { dryRun, wait, board }) => {
    const store = await openStore(dryRun ? 'read' : 'write')
    try {
      const port = await dispatcher()
      const target = { store, options, onlyBoard: board }
      return await (dryRun ? port.preview(target) : port.once(target, { wait }))
    } finally {
      await store.close()
    }
  },
})
