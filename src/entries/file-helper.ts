/**
 * The file helper is a process without SQLite. It reads, hashes and copies files for a process that has the store open.
 * It exits when its standard input closes, so it never outlives its parent process.
 */
import type { FileTask } from '../file-helper/call-file-helper.ts'
import { lineSplitter } from '../file-helper/protocol.ts'
import type { Reply, HelperRequest } from '../file-helper/protocol.ts'
import { runTaskHere } from '../file-helper/run-task.ts'
import { packError } from '../util/packed-error.ts'

const underWay = new Map<number, AbortController>()

const reply = (message: Reply): void => void process.stdout.write(`${JSON.stringify(message)}\n`)

async function serveRequest(request: HelperRequest): Promise<void> {
  const { id } = request
  if ('cancel' in request) return underWay.get(id)?.abort()
  const cut = new AbortController()
  underWay.set(id, cut)
  const onProgress = (progress: unknown): void => reply({ id, progress })
  try {
    // The cast is safe, because `runTaskHere` refuses unknown names.
    const value = await runTaskHere(request.task as FileTask, request.input, { signal: cut.signal, onProgress })
    reply({ id, value: value ?? null })
  } catch (error) {
    reply({ id, error: packError(error) })
  } finally {
    underWay.delete(id)
  }
}

// These signals are ignored: Ctrl-C reaches the whole process group, but the parent process may still need an answer.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdout.on('error', () => process.exit(0))
const take = lineSplitter((line) => void serveRequest(JSON.parse(line) as HelperRequest))
process.stdin.setEncoding('utf8').on('data', take)
process.stdin.on('end', () => process.exit(0)).on('error', () => process.exit(0))
