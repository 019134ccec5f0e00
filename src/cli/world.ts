/** Everything a command touches outside itself, so that a test can bring its own. */
import type { Environment } from '../config/environment.ts'
import type { DispatchPort } from '../operations/dispatch-port.ts'

export interface Output {
  write(text: string): unknown
}

export interface World {
  readonly argv: readonly string[]
  readonly env: Environment
  readonly version: string
  readonly stdout: Output
  readonly stderr: Output
  readonly readStdin: () => Promise<string>
  readonly dispatcher: () => Promise<DispatchPort>
  /** Calls back at the first request to stop (Ctrl-C). */
  readonly onInterrupt: (callback: () => void) => () => void
}
