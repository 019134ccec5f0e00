/** The way from a run's own processes to its board: the socket, and the nonce without which it says nothing. */
import { newToken } from '../../util/mint.ts'
import { serveRun } from '../run-socket/server.ts'
import type { RunServer } from '../run-socket/server.ts'
import type { Examiner } from './examiner.ts'
import type { Channel, Owned } from './owned.ts'

export type OpenChannel = Channel & RunServer

/**
 * Null when there can be no socket here, as on some shared folders. The work goes on all the same: whoever asks inside
 * the run is told that there is no way to its board.
 */
export async function openChannel(owned: Owned, examiner: Examiner): Promise<OpenChannel | null> {
  const path = owned.socketPath
  const nonce = newToken()
  try {
    const server = await serveRun({
      path,
      nonce,
      answer: async (op, input) => {
        // Loaded with the first question: most runs ask none, and no run waits for it before its guard.
        const { askForWorker } = await import('./worker-operations.ts')
        return askForWorker(owned, examiner, op, input)
      },
    })
    return { path, nonce, close: () => server.close() }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${new Date().toISOString()} no socket at ${path}: ${why}\n`)
    return null
  }
}
