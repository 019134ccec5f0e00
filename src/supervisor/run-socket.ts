/**
 * Opens the socket on which the processes of a run send requests to their supervisor. Each request must contain the
 * run's secret (nonce).
 */
import { inHome } from '../config/home.ts'
import { newToken } from '../util/mint.ts'
import { serveRun } from '../runs/socket/server.ts'
import type { CheckRunner } from './check-runner.ts'
import type { RunSocket, SupervisedRun } from './supervised-run.ts'

/** The run that sends a request, and the parts of its supervisor that handle verdicts. */
export interface Requester {
  readonly owned: Pick<SupervisedRun, 'store' | 'ticket' | 'task' | 'run' | 'fence' | 'directory' | 'socketPath'>
  readonly checkRunner: Pick<CheckRunner, 'check' | 'stop'>
  /** The timeout that starts when the store has recorded a verdict of the worker. */
  readonly turnTimeout: { start(): void }
}

/** Answers a request from a process of a run. The entry program passes in the implementation from src/worker-api. */
export type AnswerWorker = (requester: Requester, op: string, input: unknown) => Promise<unknown>

/**
 * Opens the socket. Returns null if the folder does not support sockets, as some shared folders do not. The run then
 * continues without a socket, and requests fail with `run_over`.
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
