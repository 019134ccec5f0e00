/** The worker's end of the socket. The command line and the MCP shim use it. */
import { once } from 'node:events'
import { createConnection } from 'node:net'
import type { Socket } from 'node:net'
import type { InsideRun } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import { readLines } from './lines.ts'
import { ANSWER_BYTES, PROTOCOL_VERSION, REQUEST_BYTES, asLine, readAnswer, runOver } from './protocol.ts'
import type { SocketAnswer } from './protocol.ts'

/** The timeout of an answer. A working supervisor always answers sooner. */
const ANSWER_TIMEOUT_MS = 20_000

export interface RunConnection {
  /**
   * Sends a request and returns the result of the operation, or throws its error. Several requests may be open at a
   * time.
   */
  ask(op: string, input: unknown): Promise<unknown>
  /** Resolves when the connection can send no more requests. */
  readonly ended: Promise<void>
  close(): void
}

/** Connects to the supervisor. Throws the error `run_over` if the nonce, the socket or the supervisor is missing. */
export async function connectToRun(
  { run, socket: path, nonce }: Pick<InsideRun, 'run' | 'socket' | 'nonce'>,
  { timeoutMs = ANSWER_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<RunConnection> {
  if (path === null || nonce === null) throw runOver(run)
  const socket = createConnection(path)
  try {
    await once(socket, 'connect')
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EAGAIN' ? noAnswer(run, error) : runOver(run, error)
  }
  const state: ConnectionState = { run, waiting: new Map(), closedWith: null }
  const ended = deliverAnswers(socket, state)
  let asked = 0
  return {
    ended,
    async ask(op, input) {
      asked += 1
      const id = asked
      const request = asLine({ v: PROTOCOL_VERSION, id, nonce, op, input })
      if (Buffer.byteLength(request) > REQUEST_BYTES)
        throw new BoardError('invalid_input', 'This request is too large for the supervisor: attach a file instead.')
      if (state.closedWith !== null) throw state.closedWith
      const answer = awaitAnswer(state, id, timeoutMs)
      socket.write(request)
      return answer
    },
    close: () => socket.destroy(),
  }
}

interface ConnectionState {
  readonly run: string
  readonly waiting: Map<number, PendingRequest>
  /** The reason why no more requests can be sent. */
  closedWith: BoardError | null
}

interface PendingRequest {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: BoardError) => void
}

function awaitAnswer({ run, waiting }: ConnectionState, id: number, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => waiting.get(id)?.reject(noAnswer(run)), ms)
    const finishing = <T>(settle: (value: T) => void): ((value: T) => void) => {
      return (value) => {
        clearTimeout(timer)
        waiting.delete(id)
        settle(value)
      }
    }
    waiting.set(id, { resolve: finishing(resolve), reject: finishing(reject) })
  })
}

/** Delivers answers until the connection ends. All waiting requests then fail. Never rejects. */
async function deliverAnswers(socket: Socket, state: ConnectionState): Promise<void> {
  const { run, waiting } = state
  let last: BoardError | null = null
  socket.on('error', () => {}) // The loop below ends after an error too.
  try {
    for await (const bytes of readLines(socket, ANSWER_BYTES)) {
      if (bytes === null) break // The answer is too long.
      const answer = readAnswer(bytes)
      if (answer === null) continue
      if (answer.id === null && 'error' in answer) last = toBoardError(answer.error)
      else if (typeof answer.id === 'number') deliver(waiting.get(answer.id), answer)
    }
  } catch {
    // The connection was reset, which the code below handles.
  }
  socket.destroy()
  state.closedWith = last ?? endedWithoutAnswer(run)
  for (const { reject } of waiting.values()) reject(state.closedWith)
}

function deliver(to: PendingRequest | undefined, answer: SocketAnswer): void {
  if ('error' in answer) to?.reject(toBoardError(answer.error))
  else to?.resolve(answer.output)
}

const toBoardError = ({ code, message, details }: Extract<SocketAnswer, { error: unknown }>['error']): BoardError =>
  new BoardError(code, message, { details })

const endedWithoutAnswer = (run: string): BoardError =>
  new BoardError('run_over', `Run ${run} ended before it answered: check its card before you repeat the request.`, {
    details: { runId: run },
  })

const noAnswer = (run: string, cause?: unknown): BoardError =>
  new BoardError('store_unreachable', `The supervisor of run ${run} does not answer: try again.`, {
    details: { runId: run },
    cause,
  })
