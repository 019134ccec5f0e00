/** Starts supervisors that run only the checks of a card, without an agent. */
import type { Environment } from '../../config/environment.ts'
import type { Options } from '../../config/load.ts'
import type { RunId, TaskId } from '../../core/ids.ts'
import { parseLocation } from '../../storage/location.ts'
import { thisHost } from '../../processes/identity.ts'
import { installLibrary } from '../start/library.ts'
import { makeRunDirectory } from '../../runs/files/run-directory.ts'
import { startSupervisor } from '../start/start-supervisor.ts'
import { writeTicket } from '../start/ticket.ts'

/** An open run of the phase `check` without a supervisor. */
interface CheckRun {
  readonly board: string
  readonly task: TaskId
  readonly run: RunId
  readonly token: string
}

export interface Checker {
  readonly machine: string
  /** The version of the supervisor's code. The claim stores this version in the run. */
  readonly libVersion: string | null
  /** Starts the supervisor that settles the run. Rejects if the supervisor cannot be started. */
  start(run: CheckRun): Promise<void>
}

/** Prepares the checks of a card that a person completes or approves. */
export interface CheckPort {
  prepare(options: Options): Promise<Checker>
}

/**
 * A run that only runs checks has no agent. This value fills the agent's place in the ticket, because every ticket
 * names an agent.
 */
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
  const { home, store, terminateGraceMs, killWaitMs, logMaxBytes, modelKeys } = options
  const directory = await makeRunDirectory(home, run)
  const limits = { terminateGraceMs, killWaitMs, logMaxBytes }
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
    ...limits,
  })
  const remoteStore = parseLocation(store).engine === 'postgres'
  await startSupervisor({ program, directory, host, env, passEnvironment: [], remoteStore, modelKeys })
}
