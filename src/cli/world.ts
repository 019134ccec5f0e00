/** Everything outside the command line that a command uses, so that tests can replace it. */
import type { Environment } from '../config/environment.ts'
import type { InsideRun } from '../config/load.ts'
import type { BoardContext } from '../operations/shared/operation.ts'
import type { CheckPort } from '../supervisor/checks/port.ts'
import type { DispatchPort } from '../operations/machine/dispatch-port.ts'
import type { ServerPort, ToolsPort } from '../operations/machine/server-port.ts'
import type { Terminal } from './output/terminal.ts'

interface Output {
  write(text: string): unknown
}

/**
 * The board that `muster mcp` serves. Inside a run, the tools reach it through the supervisor; otherwise from a store.
 */
export interface ToolsBoard {
  readonly board: string
  readonly insideRun: InsideRun | null
  readonly open: (how: { makesHome: boolean }) => Promise<BoardContext>
}

export interface World {
  readonly argv: readonly string[]
  readonly env: Environment
  readonly version: string
  readonly stdout: Output
  readonly stderr: Output
  /** The terminal of standard output; null if standard output is not a terminal. */
  readonly terminal: Terminal | null
  /** The terminal of standard error. It is looked up only when something is printed there. */
  readonly errorTerminal?: () => Terminal | null
  /** Whether the process exits after the command, so that resources need not be released. */
  readonly endsAfter?: boolean
  /** Reads the code of the whole program, because an upgrade may remove its files while a command runs. */
  readonly holdCode?: () => void
  readonly now: () => number
  /** The program and first arguments that start this command line from any folder. */
  readonly commandLine?: readonly string[]
  /**
   * The program of the thread that holds the store of a long-running command. If absent, the store is opened inline.
   */
  readonly storeThread?: string
  readonly readStdin: () => Promise<Uint8Array>
  /** Asks the person at the terminal; the default is no. Null without a terminal. */
  readonly confirm?: (question: string) => Promise<boolean | null>
  /** Serves the board's tools over standard input and output until the other end closes. */
  readonly serveTools?: (board: ToolsBoard) => Promise<void>
  readonly dispatcher: () => Promise<DispatchPort>
  /** Serves the HTTP API. If absent, `muster up` has no server. */
  readonly server?: () => Promise<ServerPort>
  /** Answers assistants that use the tools over HTTP. */
  readonly tools?: () => Promise<ToolsPort>
  /** Runs the checks that a person asks for. If absent, no checks run. */
  readonly checker?: () => Promise<CheckPort>
  /** Calls back at Ctrl-C. */
  readonly onInterrupt: (callback: () => void) => () => void
  /** Ends the process at once. */
  readonly quit?: () => void
  /** Calls back when the reader of standard output closes it: `muster watch | head`. */
  readonly onOutputClosed?: (callback: () => void) => () => void
}
