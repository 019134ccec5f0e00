import { makePrivateFolder } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { RunId } from '../../core/ids.ts'
import { backUpStore, inspectBackup, restoreStore } from '../../storage/backup.ts'
import { parseLocation } from '../../storage/location.ts'
import type { StoreLocation } from '../../storage/location.ts'
import type { Store } from '../../storage/store.ts'
import { thisHost } from '../../processes/identity.ts'
import { findLiveRuns } from '../../supervisor/start/live-runs.ts'
import { findBackup, newBackupPath } from './backups.ts'
import { findDispatchers } from '../machine/dispatcher-state.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'

type CurrentStore = NonNullable<Restoration['replaces']>

const schemas = ({ z, count, typedBackup, findings }: SchemaKit) => ({
  input: z.object({
    backup: typedBackup,
    yes: z.boolean().default(false).describe('Restore the backup; without this flag, only show what would happen'),
    force: z.boolean().default(false).describe('Restore even while Muster or runs are active'),
  }),
  output: z.object({
    restored: z.boolean(),
    from: z.string(),
    boards: count,
    cards: count,
    /** The runs that were open when the backup was made. The restore ends them as interrupted. */
    interruptedRuns: count,
    findings,
    /** The contents of the store that the backup replaces. Null means that no store can be read. */
    replaces: z.object({ boards: count, cards: count, openRuns: count, dispatcher: z.boolean() }).nullable(),
    /** The path of the copy of the replaced store. */
    saved: z.string().nullable(),
  }),
})

export type Restoration = OutputOf<typeof schemas>

export const restoreBackup = defineOperation({
  name: 'backup restore',
  kind: 'local',
  actor: 'person',
  scope: 'store',
  summary: 'Replace the whole store with a backup.',
  schemas,
  run: async ({ options, openStore }, { backup, yes, force }): Promise<Restoration> => {
    const location = parseLocation(options.store)
    const from = findBackup(options.home, backup)
    const { openRuns, ...contents } = await inspectBackup(location, from)
    const replaces = await inspectCurrent(() => openStore('read'))
    const plan = { from, ...contents, interruptedRuns: openRuns, replaces }
    if (!yes) return { ...plan, restored: false, saved: null }
    if (!force)
      refuseInUse(
        replaces,
        (await findLiveRuns(options.home, thisHost())).map(({ id }) => id),
      )
    await makePrivateFolder(options.home)
    const saved = replaces === null ? null : await saveCurrent(location, options.home)
    await restoreStore(location, from)
    return { ...plan, restored: true, saved }
  },
})

/** The errors of a store that cannot be read. Such a store can still be replaced. */
const UNREADABLE: readonly ErrorCode[] = ['store_missing', 'store_corrupt', 'store_not_ours']
const isUnreadable = (error: unknown): boolean => error instanceof BoardError && UNREADABLE.includes(error.code)

async function inspectCurrent(open: () => Promise<Store>): Promise<CurrentStore | null> {
  try {
    const store = await open()
    try {
      return await describe(store)
    } finally {
      await store.close()
    }
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

async function describe(store: Store): Promise<CurrentStore> {
  const boards = await store.boards()
  const counts = await Promise.all(boards.map(({ slug }) => store.counts(slug)))
  const { own, active } = await findDispatchers(store, thisHost())
  return {
    boards: boards.length,
    cards: counts.flatMap((count) => Object.values(count)).reduce((sum, cards) => sum + cards, 0),
    openRuns: (await store.openRuns(null)).filter(({ kind }) => kind === 'agent').length,
    dispatcher: active.size > 0 || own.is === 'hung',
  }
}

/**
 * Throws an error while processes use the store, because these processes would continue with rows that no longer exist.
 */
function refuseInUse(current: CurrentStore | null, live: readonly RunId[]): void {
  const { dispatcher, openRuns } = current ?? { dispatcher: false, openRuns: 0 }
  const uses = [
    ...(dispatcher ? ['Muster is running'] : []),
    ...(openRuns === 0 ? [] : [`${openRuns} ${openRuns === 1 ? 'run is' : 'runs are'} open`]),
    // A store that cannot be read lists no runs, but processes of its runs may still be alive.
    ...(openRuns > 0 || live.length === 0 ? [] : [`processes of ${live.join(', ')} are alive`]),
  ]
  if (uses.length === 0) return
  throw new BoardError(
    'run_live',
    `The store is in use (${uses.join(', ')}). Stop Muster with Ctrl-C and wait for its runs to end, or add --force.`,
    {
      details: { dispatcher, openRuns, live },
    },
  )
}

/** Saves a copy of the current store. A damaged store cannot be backed up, so its file is kept beside the new store. */
async function saveCurrent(location: StoreLocation, home: string): Promise<string | null> {
  const path = await newBackupPath(home, '-before-restore')
  try {
    await backUpStore(location, path)
    return path
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}
