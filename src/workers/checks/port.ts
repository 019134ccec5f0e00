/** Starts the supervisor of a run in which nobody works: the board's checks are all of it. */
import type { Environment } from '../../config/environment.ts'
import type { Options } from '../../config/load.ts'
import type { CheckPort, CheckRun } from '../../operations/check-port.ts'
import { parseLocation } from '../../storage/location.ts'
import { thisHost } from '../identity.ts'
import { installLibrary } from '../library.ts'
import { makeRunDirectory } from '../run-directory.ts'
import { startSupervisor } from '../start-supervisor.ts'
import { writeTicket } from '../ticket.ts'

/** A ticket names an agent; here it is the board itself. */
const NOBODY = {
  agent: 'muster',
  harness: 'none',
  args: [],
  instruction: '',
  commandLine: '',
  completesOnExit: false,
  passEnvironment: [],
}

export function makeCheckPort({ env, supervisorPath }: { env: Environment; supervisorPath: string }): CheckPort {
  return {
    prepare: async (options) => {
      const { version, program } = await installLibrary(options.home, supervisorPath)
      return {
        machine: thisHost().machine.id,
        libVersion: version,
        start: (run) => start(run, { options, env, program }),
      }
    },
  }
}

async function start(
  { board, task, run, token }: CheckRun,
  { options, env, program }: { options: Options; env: Environment; program: string },
): Promise<void> {
  const { home, store, terminateGraceMs, killWaitMs, logMaxBytes } = options
  const directory = await makeRunDirectory(home, run)
  const patience = { terminateGraceMs, killWaitMs, logMaxBytes }
  await writeTicket(directory, { version: 1, home, store, board, task, run, token, ...NOBODY, ...patience })
  const remoteStore = parseLocation(store).engine === 'postgres'
  await startSupervisor({ program, directory, env, passEnvironment: [], remoteStore })
}
