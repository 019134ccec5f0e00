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
  summary: 'Start ready cards once. Also ends lost runs and wakes scheduled cards.',
  schemas: ({ z, slug, dispatchReport }) => ({
    input: z.object({
      dryRun: z.boolean().default(false).describe('Only show what would happen'),
      wait: z.boolean().default(false).describe('Wait until the started runs have ended'),
      max: z.int().min(0).nullable().default(null).describe('Start at most this many cards'),
      nudge: z.boolean().default(false).describe('Start nothing, only notify a running Muster'),
      board: slug.nullable().default(null).describe('Only cards of this board'),
    }),
    output: dispatchReport,
  }),
  run: async (
    { options, openStore, dispatcher, passListener = NO_LISTENER, endsAfter = false },
    { dryRun, wait, max, nudge, board },
  ) => {
    const store = await openStore(dryRun ? 'read' : 'write')
    try {
      if (nudge) return await nudgeDispatcher(store)
      const port = await dispatcher()
      const target = { store, options, onlyBoard: board }
      return await (dryRun ? port.preview(target, { max }) : port.once(target, { wait, max }, passListener))
    } finally {
      await store.close({ exiting: endsAfter })
    }
  },
})

const NO_LISTENER: PassListener = { onPass: () => {}, onEnd: () => {} }

/**
 * Wakes the active dispatcher. A second dispatcher must not start cards, because two dispatchers would exceed the
 * limits together.
 */
async function nudgeDispatcher(store: Store): Promise<ReturnType<typeof emptyReport>> {
  const host = thisHost()
  const state = dispatcherOf(await findDispatchers(store, host), null, host)
  if (state.is !== 'active') throw new BoardError('dispatcher_absent', inactiveText(state))
  await store.nudge()
  return { ...emptyReport(), nudged: true }
}
