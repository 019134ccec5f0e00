import { readdir } from 'node:fs/promises'
import { ASSISTANTS } from '../../mcp-install/index.ts'
import { ASSISTANT_NAMES } from '../../mcp-install/names.ts'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import { serviceFiles, uninstallService } from '../../service/service.ts'
import { findLiveRuns } from '../../supervisor/start/live-runs.ts'
import { deleteData, readDataFolder } from './delete-data.ts'
import { findDispatchers } from './dispatcher-state.ts'
import { installTools } from './install-tools.ts'
import { defineOperation } from '../shared/operation.ts'
import type { LocalContext, OutputOf, SchemaKit } from '../shared/operation.ts'
import { serviceHost } from '../service/service-host.ts'

const schemas = ({ z, count }: SchemaKit) => ({
  input: z.object({
    apply: z.boolean().default(false).describe('Remove without asking'),
    data: z.boolean().default(false).describe('Also delete the data folder with all boards; needs --yes'),
  }),
  output: z.object({
    applied: z.boolean(),
    /** The files of the service. The list is empty if the service is not installed. */
    serviceFiles: z.array(z.string()).readonly(),
    /** Muster's entries in the configuration files of other programs. */
    entries: z.array(z.object({ title: z.string(), file: z.string() })).readonly(),
    /** The configuration files that could not be read, with the reason. */
    faults: z.array(z.string()).readonly(),
    home: z.string(),
    hasData: z.boolean(),
    deletedData: z.boolean(),
    /** The entries of the data folder that Muster did not create. They stay even with `data`. */
    kept: z.array(z.string()).readonly(),
    /** The number of runs that are alive on this machine. */
    liveRuns: count,
    /** Whether the store is outside the data folder. Such a store is never deleted. */
    remoteStore: z.boolean(),
  }),
})

export type Uninstalled = OutputOf<typeof schemas>

export const uninstall = defineOperation({
  name: 'uninstall',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Remove the service and the MCP entries of Muster. Your boards stay.',
  schemas,
  run: async (context, { apply, data }) => {
    const { home, store } = context.options
    const hasData = await isFolder(home)
    // The folder is read before anything is removed, because the command refuses a folder that is not a data folder.
    const found = data && hasData ? await readDataFolder(home) : null
    const before = await liveRuns(home)
    if (apply && data) await requireIdle(context, before)
    const files = await serviceFiles(home)
    if (apply && files.length > 0) await uninstallService(serviceHost(context))
    const { entries, faults } = await removeEntries(context, apply)
    if (apply && found !== null) {
      // While the service was stopping, a card may have started or another dispatcher may have become active.
      await requireIdle(context, await liveRuns(home))
      await deleteData(home)
    }
    return {
      applied: apply,
      serviceFiles: files,
      entries,
      faults,
      home,
      hasData,
      deletedData: apply && found !== null,
      kept: found?.foreign ?? [],
      liveRuns: before,
      remoteStore: store !== inHome.database(home),
    }
  },
})

async function liveRuns(home: string): Promise<number> {
  const host = hostIfSupported()
  return host === null ? 0 : (await findLiveRuns(home, host)).length
}

/** Throws an error if a run is alive, because deleting the folder would lose its work. */
async function requireIdle(context: LocalContext, live: number): Promise<void> {
  if (live > 0)
    throw new BoardError(
      'run_live',
      `${live} ${live === 1 ? 'card is' : 'cards are'} running, so nothing was removed. Wait for them, or stop them. To list them: muster ps`,
      { details: { live } },
    )
  const isService = (await serviceFiles(context.options.home)).length > 0
  if (!isService && (await isDispatching(context)))
    throw new BoardError('run_live', 'Muster is running, so nothing was removed. Stop muster up first.')
}

/** Whether a dispatcher is active. If the store does not exist or cannot be read, no dispatcher is active. */
async function isDispatching({ openStore }: LocalContext): Promise<boolean> {
  const store = await openStore('read').catch(() => null)
  if (store === null) return false
  try {
    return (await findDispatchers(store, hostIfSupported())).own.is !== 'absent'
  } finally {
    await store.close()
  }
}

/** Removes Muster's entries. An entry with the same name that Muster did not write stays. */
async function removeEntries(context: LocalContext, apply: boolean): Promise<Pick<Uninstalled, 'entries' | 'faults'>> {
  const entries: { title: string; file: string }[] = []
  const faults: string[] = []
  for (const assistant of ASSISTANT_NAMES) {
    try {
      const { change, file } = await installTools.run(context, { assistant, print: !apply, remove: true })
      if (change === 'removed') entries.push({ title: ASSISTANTS[assistant].title, file })
    } catch (error) {
      if (!(error instanceof BoardError)) throw error
      if (error.code !== 'entry_not_ours') faults.push(error.message)
    }
  }
  return { entries, faults }
}

const isFolder = (home: string): Promise<boolean> =>
  readdir(home).then(
    () => true,
    () => false,
  )
