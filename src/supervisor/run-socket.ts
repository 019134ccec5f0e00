/** Opens the socket through which the processes of a run reach their board, with a nonce that they must know. */
import { inHome } from '../config/home.ts'
import { newToken } from '../util/mint.ts'
import { serveRun } from '../runs/socket/server.ts'
import type { CheckRunner } from './check-runner.ts'
import type { RunSocket, SupervisedRun } from './supervised-run.ts'

/** The run whose processes send requests, with what their verdicts need. */
export interface Requester {
  readonly owned: Pick<SupervisedRun, 'store' | 'ticket' | 'run' | 'fence' | 'directory' | 'socketPath'>
  readonly checkRunner: Pick<CheckRunner, 'check' | 'stop'>
  /** Started when a verdict of the worker is recorded. */
  readonly turnTimeout: { start(): void }
}

/** Answers the requests of a run's processes; the entry supplies the implementation (src/worker-api). */
export type AnswerWorker = (requester: Requester, op: string, input: unknown) => Promise<unknown>

/**
 * Null if no socket can be made here, as on some shared folders. The run continues without one, and requests fail with
 * `run_over`.
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
