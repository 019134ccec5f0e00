/**
 * What the client of an ACP agent writes into the log of its run: one JSON object per line for each thing that happened,
 * and as it is whatever the agent printed for people. The harness reads these lines (adapter.ts).
 */
import type { Fields } from '../../util/json-fields.ts'
import type { Called, Returned } from './tool-calls.ts'

/** The code of the error with which an agent asks for a log-in. */
export const AUTH_REQUIRED = -32_000

export type AcpRecord =
  /** What the agent answered to `initialize`. */
  | { readonly acp: 'agent'; readonly answer: unknown }
  /** `isKept`: it can be gone on with later. */
  | {
      readonly acp: 'session'
      readonly id: string
      readonly isKept: boolean
      readonly by: string
      readonly answer: unknown
    }
  /** As it came. What comes before the prompt is history, told again. */
  | {
      readonly acp: 'update'
      readonly isHistory?: true
      readonly called?: Called
      readonly returned?: Returned
      readonly update: unknown
    }
  | {
      readonly acp: 'permission'
      readonly isAllowed: boolean
      readonly why: string
      readonly called?: Called
      readonly call: Fields
      readonly options: unknown
      readonly answer: unknown
    }
  /** What the agent answered to its prompt. `costUsd`: of this turn, where it was told. */
  | { readonly acp: 'ended'; readonly costUsd: number | null; readonly answer: unknown }
  /** A request was answered with an error, or not at all. */
  | {
      readonly acp: 'failed'
      readonly during: string
      readonly message: string
      /** Of the error that was answered; without one the client itself gave up. */
      readonly code?: number
      readonly data?: unknown
    }
  /** The tools of the board were never started. */
  | { readonly acp: 'no_tools'; readonly message: string }
  /** Something that whoever reads the log should know. */
  | { readonly acp: 'note'; readonly text: string }

export interface Recorder {
  record(what: AcpRecord): void
  /** What the agent printed, without the end of its line. */
  print(line: string): void
}

/** Text must not be taken for a record: those begin in the first column. */
const LOOKS_RECORDED = '{"acp"'

export const recorderTo = (write: (text: string) => void): Recorder => ({
  record: (what) => write(`${textOf(what)}\n`),
  print: (line) => write(`${line.startsWith(LOOKS_RECORDED) ? ' ' : ''}${line}\n`),
})

function textOf(what: AcpRecord): string {
  try {
    return JSON.stringify(what)
  } catch {
    const note: AcpRecord = { acp: 'note', text: `Something (${what.acp}) that is nested too deep to be written down.` }
    return JSON.stringify(note)
  }
}
