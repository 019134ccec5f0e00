/** The worker's end of the socket, for the command line and the MCP shim. */
import { once } from 'node:events'
import { createConnection } from 'node:net'
import type { Socket } from 'node:net'
import type { InsideRun } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import { readLines } from './lines.ts'
import { ANSWER_BYTES, PROTOCOL_VERSION, REQUEST_BYTES, asLine, readAnswer, runOver } from './protocol.ts'
import type { Answer } from './protocol.ts'

/** Longer than any wait of the supervisor itself. */
const PATIENCE_MS = 20_000

export interface RunConnection {
  /** Returns the result of the operation, or throws its error. Calls may overlap. */
  ask(op: string, input: unknown): Promise<unknown>
  /** Resolves when nothing more can be asked through it. */
  readonly ended: Promise<void>
  close(): void
}

/** Without a nonce, a socket or a supervisor, the run counts as over. */
export async function connectToRun(
  { run, socket: path, nonce }: Pick<InsideRun, 'run' | 'socket' | 'nonce'>,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<RunConnection> {
  if (path === null || nonce === null) throw runOver(run)
  const socket = createConnection(path)
  try {
    await once(socket, 'connect')
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EAGAIN' ? silent(run, error) : runOver(run, error)
  }
  const line: Line = { run, waiting: new Map(), over: null }
  const ended = listen(socket, line)
  let asked = 0
  return {
    ended,
    async ask(op, input) {
      asked += 1
      const id = asked
      const request = asLine({ v: PROTOCOL_VERSION, id, nonce, op, input })
      if (Buffer.byteLength(request) > REQUEST_BYTES)
        throw new BoardError('invalid_input', 'This is more than the supervisor takes at once: attach a file instead.')
      if (line.over !== null) throw line.over
      const answer = awaitAnswer(line, id, patienceMs)
      socket.write(request)
      return answer
    },
    close: () => socket.destroy(),
  }
}

interface Line {
  readonly run: string
  readonly waiting: Map<number, Waiting>
  /** Why no more requests can be sent. */
  over: BoardError | null
}

interface Waiting {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: BoardError) => void
}

function awaitAnswer({ run, waiting }: Line, id: number, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => waiting.get(id)?.reject(silent(run)), ms)
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

/** Delivers answers until the connection ends; then all waiting requests fail. Never rejects. */
async function listen(socket: Socket, line: Line): Promise<void> {
  const { run, waiting } = line
  let last: BoardError | null = null
  socket.on('error', () => {}) // Seen below as the end of the lines.
  try {
    for await (const bytes of readLines(socket, ANSWER_BYTES)) {
      if (bytes === null) break // The answer is too long.
      const answer = readAnswer(bytes)
      if (answer === null) continue
      if (answer.id === null && 'error' in answer) last = raised(answer.error)
      else if (typeof answer.id === 'number') deliver(waiting.get(answer.id), answer)
    }
  } catch {
    // The connection was reset: handled below.
  }
  socket.destroy()
  line.over = last ?? endedSilently(run)
  for (const { reject } of waiting.values()) reject(line.over)
}

function deliver(to: Waiting | undefined, answer: Answer): void {
  if ('error' in answer) to?.reject(raised(answer.error))
  else to?.resolve(answer.output)
}

const raised = ({ code, message, details }: Extract<Answer, { error: unknown }>['error']): BoardError =>
  new BoardError(code, message, { details })

const endedSilently = (run: string): BoardError =>
  new BoardError('run_over', `Run ${run} ended without an answer: look at its card before saying it again.`, {
    details: { runId: run },
  })

const silent = (run: string, cause?: unknown): BoardError =>
  new BoardError('store_unreachable', `The supervisor of run ${run} does not answer: try again.`, {
    details: { runId: run },
    cause,
  })
