import { DEFAULT_BOARD } from '../config/load.ts'
import { inHome, makePrivateFolder } from '../config/home.ts'
import { unwrap } from '../core/command.ts'
import { describeLocation, parseLocation } from '../storage/location.ts'
import type { LocalContext } from './operation.ts'
import { defineOperation } from './operation.ts'

/** Making twice changes nothing: what is missing is added. */
export const initHome = defineOperation({
  name: 'init',
  kind: 'local',
  actor: 'person',
  summary: 'Make the home, its store and the first board.',
  schemas: () => import('./init-home.schema.ts'),
  run: async (context) => {
    const { home, store: location } = context.options
    const made = await makePrivateFolder(home)
    await makePrivateFolder(inHome.agents(home))
    const store = await context.openStore('create')
    try {
      const created = await makeFirstBoard(context, store)
      return { home, store: describeLocation(parseLocation(location)), board: DEFAULT_BOARD, created: made || created }
    } finally {
      await store.close()
    }
  },
})

async function makeFirstBoard(
  { actor }: LocalContext,
  store: Awaited<ReturnType<LocalContext['openStore']>>,
): Promise<boolean> {
  if ((await store.board(DEFAULT_BOARD)) !== null) return false
  const input = { slug: DEFAULT_BOARD }
  return unwrap(await store.decide({ verb: 'create_board', board: DEFAULT_BOARD, actor, input })).created
}
