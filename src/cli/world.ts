/** Everything a command touches outside itself, so that a test can bring its own. */
import type { Environment } from '../config/environment.ts'
import type { InsideRun } from '../config/load.ts'
import type { BoardContext } from '../operations/shared/operation.ts'
import type { CheckPort } from '../supervisor/checks/port.ts'
import type { DispatchPort } from '../operations/machine/dispatch-port.ts'
import type { Terminal } from './terminal.ts'

interface Output {
  write(text: string): unknown
}

/** The board whose tools are served: through the supervisor of a run, or from a store. */
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
  /** Of the terminal that standard output is; null when it goes elsewhere. */
  readonly terminal: Terminal | null
  /** Whether the process ends with the command, and so need not give anything back. */
  readonly endsAfter?: boolean
  readonly now: () => number
  /** What starts this command line from anywhere: a program and its first arguments. */
  readonly commandLine?: readonly string[]
  /** The program of the thread that keeps the store of a command that goes on; without one, the store is kept inline. */
  readonly storeThread?: string
  readonly readStdin: () => Promise<Uint8Array>
  /** Asks whoever sits at the terminal, whose answer is no unless they say yes; null: nobody sits there. */
  readonly confirm?: (question: string) => Promise<boolean | null>
  /** Serves the board's tools to whoever is at the other end of standard input and output, until they are gone. */
  readonly serveTools?: (board: ToolsBoard) => Promise<void>
  readonly dispatcher: () => Promise<DispatchPort>
  /** Without one, nobody runs checks at a person's word. */
  readonly checker?: () => Promise<CheckPort>
  /** Calls back at the first request to stop (Ctrl-C). */
  readonly onInterrupt: (callback: () => void) => () => void
  /** Calls back when nobody reads standard output any more: `muster watch | head`. */
  readonly onOutputClosed?: (callback: () => void) => () => void
}
