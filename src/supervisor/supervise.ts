/**
 * Starts a supervisor: reads the ticket, opens the store and runs the guard. The rest of the code is loaded after the
 * guard, because the run counts as started then.
 */
import type { Environment } from '../config/environment.ts'
import { clockShiftMs } from '../config/system.ts'
import { parseLocation } from '../storage/location.ts'
import { openStore } from '../storage/open.ts'
import { hashToken } from '../util/mint.ts'
import type { Host } from '../processes/identity.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import { chooseSocketPath } from '../runs/socket/address.ts'
import { abortOnShutdown } from '../processes/shutdown.ts'
import { readTicket } from './start/ticket.ts'
import type { AnswerWorker } from './run-socket.ts'
import { guard } from './guard.ts'
import { retryUntilAvailable } from './retry.ts'

const OPEN_MS = 30_000

export interface SupervisorPorts {
  readonly host: Host
  readonly env: Environment
  readonly answer: AnswerWorker
}

export async function supervise(directory: RunDirectory, { host, env, answer }: SupervisorPorts): Promise<void> {
  // Shutdown signals are handled from here on, so a supervisor that gets one while it starts still closes its run.
  const shutdown = abortOnShutdown()
  const ticket = readTicket(directory)
  if (ticket === null) return
  const location = parseLocation(ticket.store)
  const store = await retryUntilAvailable(() => openStore(location, { mode: 'write', shift: clockShiftMs }), {
    forMs: OPEN_MS,
  })
  try {
    const fence = { runId: ticket.run, tokenHash: hashToken(ticket.token) }
    const socketPath = chooseSocketPath(directory)
    const machine = named(host, ticket.machine)
    const owned = await guard({ store, ticket, directory, host: machine, env, fence, socketPath, shutdown })
    if (owned === null) return
    const { superviseRun } = await import('./supervise-run.ts')
    await superviseRun(owned, answer)
  } finally {
    // The process ends now and frees everything. A complete close would only delay the next card.
    await store.close({ exiting: true })
  }
}

/** The host, with the machine id that the dispatcher uses. */
const named = (host: Host, id: string | null): Host =>
  id === null ? host : { ...host, machine: { ...host.machine, id } }
