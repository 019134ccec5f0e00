/** Opens the socket through which the processes of a run reach their board. Each request needs the nonce. */
import { inHome } from '../config/home.ts'
import { newToken } from '../util/mint.ts'
import { serveRun } from '../runs/socket/server.ts'
import type { CheckRunner } from './check-runner.ts'
import type { RunSocket, SupervisedRun } from './supervised-run.ts'

/** The run that sends a request, and the parts of its supervisor that handle verdicts. */
export interface Requester {
  readonly owned: Pick<SupervisedRun, 'store' | 'ticket' | 'run' | 'fence' | 'directory' | 'socketPath'>
  readonly checkRunner: Pick<CheckRunner, 'check' | 'stop'>
  /** Started when a verdict of the worker is recorded. */
  readonly turnTimeout: { start(): void }
}

/** Answers a request of a run's process. The entry passes in the implementation (src/worker-api). */
export type AnswerWorker = (requester: Requester, op: string, input: unknown) => Promise<unknown>

/**
 * Returns null if the folder does not support sockets, like some shared folders. The run then continues without a
 * socket, and requests fail with `run_over`.
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
