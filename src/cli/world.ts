/** Everything outside the command line that a command uses. Tests pass in a replacement. */
import type { Environment } from '../config/environment.ts'
import type { InsideRun } from '../config/load.ts'
import type { BoardContext } from '../operations/shared/operation.ts'
import type { CheckPort } from '../supervisor/checks/port.ts'
import type { DispatchPort } from '../operations/machine/dispatch-port.ts'
import type { ServerPort, ToolsPort } from '../operations/machine/server-port.ts'
import type { Keyboard } from './output/keyboard.ts'
import type { Terminal } from './output/terminal.ts'

interface Output {
  write(text: string): unknown
}

/**
 * The board that `muster mcp` serves. Inside a run, the tools use the board through the supervisor. Otherwise they use
 * the store.
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
  /** The terminal of standard output. Null means that standard output is not a terminal. */
  readonly terminal: Terminal | null
  /** The terminal of standard error. It is needed only when an error or notice is printed. */
  readonly errorTerminal?: () => Terminal | null
  /** Whether the process exits after the command. In that case, resources need not be released. */
  readonly endsAfter?: boolean
  /** Reads the code of the whole program into memory, because an upgrade may remove the files while a command runs. */
  readonly holdCode?: () => void
  readonly now: () => number
  /** The command that starts this command line from any folder. */
  readonly commandLine?: readonly string[]
  /**
   * The program of the thread that opens the store of a long-running command. If this is absent, the main thread opens
   * the store.
   */
  readonly storeThread?: string
  readonly readStdin: () => Promise<Uint8Array>
  /** The keyboard of the terminal. Null means that standard input is not a terminal. */
  readonly keyboard?: () => Promise<Keyboard | null>
  /** Asks the person at the terminal. The default answer is no. Resolves to null without a terminal. */
  readonly confirm?: (question: string) => Promise<boolean | null>
  /** Serves the board's tools over standard input and output until the client disconnects. */
  readonly serveTools?: (board: ToolsBoard) => Promise<void>
  readonly dispatcher: () => Promise<DispatchPort>
  /** Serves the HTTP API. If this is absent, `muster up` has no server. */
  readonly server?: () => Promise<ServerPort>
  /** Answers assistants that use the tools over HTTP. */
  readonly tools?: () => Promise<ToolsPort>
  /** Runs the checks that a person requests. If this is absent, no checks run. */
  readonly checker?: () => Promise<CheckPort>
  /** Calls back at Ctrl-C. */
  readonly onInterrupt: (callback: () => void) => () => void
  /** Calls back before the process ends, even after a crash. */
  readonly onExit?: (callback: () => void) => () => void
  /** Ends the process at once. */
  readonly quit?: () => void
  /** Calls back when the reader closes standard output, as in `muster watch | head`. */
  readonly onOutputClosed?: (callback: () => void) => () => void
}
