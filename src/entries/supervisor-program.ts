/** The entry of the supervisor, bundled as one file. Its only argument is the directory of its run. */
import { ownEnvironment } from '../config/environment.ts'
import { useHelperIn } from '../file-helper/use-helper-in.ts'
import { boardRole } from '../core/vocabulary.ts'
import { thisHost } from '../processes/identity.ts'
import { runDirectoryAt } from '../runs/files/run-directory.ts'
import type { AnswerWorker } from '../supervisor/run-socket.ts'
import { supervise } from '../supervisor/supervise.ts'

/**
 * Answers a request of the worker. The modules are loaded at the first request. Many runs send no request, and loading
 * would delay their start.
 */
const answerWorker: AnswerWorker = async (requester, op, input) => {
  const { askForWorker } = await import('../worker-api/ask-for-worker.ts')
  const { answerShim, describeRequest } = await import('../mcp/answer-shim.ts')
  const { recordOverreach } = await import('../worker-api/note-overreach.ts')
  const { task, board, tools } = requester.owned.ticket
  const role = boardRole(tools, requester.owned.run.phase, requester.owned.task)
  const ask = (name: string, given: unknown): Promise<unknown> => askForWorker(requester, name, given)
  const caller = { role, task, board, ask }
  return recordOverreach(requester, describeRequest(op, input), () => answerShim(caller, op, input) ?? ask(op, input))
}

useHelperIn(__dirname)
const path = process.argv[2]
if (path === undefined) {
  process.stderr.write('usage: supervisor.js <run directory>\n')
  process.exitCode = 2
} else {
  // The error goes to the supervisor log of the run. The dispatcher of this machine closes the run later.
  supervise(runDirectoryAt(path), {
    host: thisHost({ home: null }),
    env: ownEnvironment(),
    answer: answerWorker,
  }).catch((error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${new Date().toISOString()} ${text}\n`)
    process.exitCode = 1
  })
}
