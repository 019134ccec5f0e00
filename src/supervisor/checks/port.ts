/** Starts the supervisor of a run without an agent, which only runs the board's checks. */
import type { Environment } from '../../config/environment.ts'
import type { Options } from '../../config/load.ts'
import type { RunId, TaskId } from '../../core/ids.ts'
import { parseLocation } from '../../storage/location.ts'
import { thisHost } from '../../processes/identity.ts'
import { installLibrary } from '../start/library.ts'
import { makeRunDirectory } from '../../runs/files/run-directory.ts'
import { startSupervisor } from '../start/start-supervisor.ts'
import { writeTicket } from '../start/ticket.ts'

/** A run of phase `check` that has been opened and has no supervisor yet. */
interface CheckRun {
  readonly board: string
  readonly task: TaskId
  readonly run: RunId
  readonly token: string
}

export interface Checker {
  readonly machine: string
  /** The code that the supervisor will run from, as the run names it. */
  readonly libVersion: string | null
  /** Starts its supervisor, which settles the run. Rejects when that cannot be started. */
  start(run: CheckRun): Promise<void>
}

/** Runs the checks of a card that a person calls finished. */
export interface CheckPort {
  prepare(options: Options): Promise<Checker>
}

/** A ticket names an agent; here it is the board itself. */
const BOARD_AS_AGENT = {
  agent: 'muster',
  harness: 'none',
  args: [],
  instruction: '',
  completesOnExit: false,
  passEnvironment: [],
}

export function makeCheckPort({ env, supervisorPath }: { env: Environment; supervisorPath: string }): CheckPort {
  return {
    prepare: async (options) => {
      const { version, program } = await installLibrary(options.home, supervisorPath)
      return {
        machine: thisHost({ home: options.home }).machine.id,
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
  const host = thisHost({ home })
  const { id: machine } = host.machine
  await writeTicket(directory, {
    version: 1,
    home,
    machine,
    store,
    board,
    task,
    run,
    token,
    ...BOARD_AS_AGENT,
    ...patience,
  })
  const remoteStore = parseLocation(store).engine === 'postgres'
  await startSupervisor({ program, directory, host, env, passEnvironment: [], remoteStore })
}
