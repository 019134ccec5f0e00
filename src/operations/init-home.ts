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
  scope: 'machine',
  summary: 'Make the home, its store and the first board, or one more board.',
  schemas: () => import('./init-home.schema.ts'),
  run: async (context, { board = DEFAULT_BOARD }) => {
    const { home, store: location } = context.options
    const made = await makePrivateFolder(home)
    await makePrivateFolder(inHome.agents(home))
    const store = await context.openStore('create')
    try {
      const first = await makeBoard(context, store, DEFAULT_BOARD)
      const other = board !== DEFAULT_BOARD && (await makeBoard(context, store, board))
      return { home, store: describeLocation(parseLocation(location)), board, created: made || first || other }
    } finally {
      await store.close()
    }
  },
})

async function makeBoard(
  { actor }: LocalContext,
  store: Awaited<ReturnType<LocalContext['openStore']>>,
  slug: string,
): Promise<boolean> {
  if ((await store.board(slug)) !== null) return false
  return unwrap(await store.decide({ verb: 'create_board', board: slug, actor, input: { slug } })).created
}
