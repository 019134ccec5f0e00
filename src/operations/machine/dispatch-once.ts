import { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import { thisHost } from '../../processes/identity.ts'
import type { PassListener } from './dispatch-port.ts'
import { emptyReport } from './empty-report.ts'
import { dispatcherOf, findDispatchers, inactiveText } from './dispatcher-state.ts'
import { defineOperation } from '../shared/operation.ts'

export const dispatchOnce = defineOperation({
  name: 'dispatch',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Make one pass: settle what was lost, wake what is due, start what may start.',
  schemas: () => import('./dispatch-once.schema.ts'),
  run: async ({ options, openStore, dispatcher, passListener = DEAF }, { dryRun, wait, max, nudge, board }) => {
    const store = await openStore(dryRun ? 'read' : 'write')
    try {
      if (nudge) return await nudgeDispatcher(store)
      const port = await dispatcher()
      const target = { store, options, onlyBoard: board }
      return await (dryRun ? port.preview(target, { max }) : port.once(target, { wait, max }, passListener))
    } finally {
      await store.close()
    }
  },
})

const DEAF: PassListener = { onPass: () => {}, onEnd: () => {} }

/** Wakes whoever dispatches; a second dispatcher would not keep to the same places. */
async function nudgeDispatcher(store: Store): Promise<ReturnType<typeof emptyReport>> {
  const host = thisHost()
  const state = dispatcherOf(await findDispatchers(store, host), null, host)
  if (state.is !== 'active') throw new BoardError('dispatcher_absent', inactiveText(state))
  await store.nudge()
  return { ...emptyReport(), nudged: true }
}
