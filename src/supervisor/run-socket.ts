/** The way from a run's own processes to its board: the socket, and the nonce without which it says nothing. */
import { inHome } from '../config/home.ts'
import { newToken } from '../util/mint.ts'
import { serveRun } from '../runs/socket/server.ts'
import type { CheckRunner } from './check-runner.ts'
import type { RunSocket, SupervisedRun } from './supervised-run.ts'

/** The run whose processes ask, and who can judge what they say of it. */
export interface Requester {
  readonly owned: Pick<SupervisedRun, 'store' | 'ticket' | 'run' | 'fence' | 'directory' | 'socketPath'>
  readonly checkRunner: Pick<CheckRunner, 'check' | 'stop'>
  /** Told when a verdict of the worker is on record. */
  readonly turnTimeout: { start(): void }
}

/** Who answers what a run's own processes ask of their board; the program brings the real one. */
export type AnswerWorker = (requester: Requester, op: string, input: unknown) => Promise<unknown>

/**
 * Null when there can be no socket here, as on some shared folders. The work goes on all the same: whoever asks inside
 * the run is told that there is no way to its board.
 */
export async function openRunSocket(requester: Requester, answer: AnswerWorker): Promise<RunSocket | null> {
  const path = requester.owned.socketPath
  const nonce = newToken()
  try {
    const server = await serveRun({ path, nonce, answer: (op, input) => answer(requester, op, input) })
    return {
      path,
      nonce,
      lateFolder: inHome.late(requester.owned.ticket.home),
      idle: () => server.idle(),
      close: () => server.close(),
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${new Date().toISOString()} no socket at ${path}: ${why}\n`)
    return null
  }
}
