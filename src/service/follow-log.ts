import { BoardError } from '../core/errors.ts'
import { findProgram } from '../processes/find-program.ts'
import { startInteractive } from '../processes/spawn.ts'
import type { ServiceHost } from './definition.ts'
import { toolEnvironment } from './run-tool.ts'
import { managerFor } from './service.ts'
import type { LogRequest } from './service-manager.ts'

/** Prints the log of the service. With `follow`, new lines are printed until the signal aborts. */
export async function followLog(
  host: ServiceHost,
  request: LogRequest,
  { write, signal }: { readonly write: (text: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const [program = '', ...args] = managerFor(host).logCommand(request)
  const found = findProgram(program, host.env['PATH'])
  if (found === null)
    throw new BoardError('not_supported', `The log cannot be shown: ${program} is not installed or not on your PATH.`)
  const child = await startInteractive({ program: found, args, cwd: '/', env: toolEnvironment(host) })
  const end = (): void => child.sendSignal('SIGTERM')
  signal.addEventListener('abort', end)
  let fault = ''
  child.input.end()
  child.output.setEncoding('utf8').on('data', write)
  child.errors.setEncoding('utf8').on('data', (text: string) => (fault = `${fault}${text}`.slice(0, 1_000)))
  try {
    const { code } = await child.exited
    if (code !== 0 && !signal.aborted)
      throw new BoardError('store_io', `${program} failed: ${fault.trim().split('\n')[0] || `exit code ${code}`}.`)
  } finally {
    signal.removeEventListener('abort', end)
    child.release()
  }
}
