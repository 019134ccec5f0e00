/**
 * The lines that the ACP client writes into the log of a run: one JSON object for each event, and the agent's other
 * output unchanged. The adapter reads these lines (adapter.ts).
 */
import type { Fields } from '../../util/json-fields.ts'
import type { Called, Returned } from './tool-calls.ts'

/** The error code of an agent that needs a login. */
export const AUTH_REQUIRED = -32_000

export type AcpRecord =
  /** The agent's answer to `initialize`. */
  | { readonly acp: 'agent'; readonly answer: unknown }
  /** The open session. If `isKept` is true, a later turn can resume it. */
  | {
      readonly acp: 'session'
      readonly id: string
      readonly isKept: boolean
      readonly by: string
      readonly answer: unknown
    }
  /** An update in the form in which the agent sent it. Updates before the prompt replay the history. */
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
  /** The agent's answer to its prompt. `costUsd` is the cost of this turn. Null means that the cost is unknown. */
  | { readonly acp: 'ended'; readonly costUsd: number | null; readonly answer: unknown }
  /** A request was answered with an error, or not at all. */
  | {
      readonly acp: 'failed'
      readonly during: string
      readonly message: string
      /** The agent's error code. This is absent if the client stopped waiting. */
      readonly code?: number
      readonly data?: unknown
    }
  /** The agent never started the board's tools. */
  | { readonly acp: 'no_tools'; readonly message: string }
  /** A note for the reader of the log. */
  | { readonly acp: 'note'; readonly text: string }

export interface Recorder {
  record(what: AcpRecord): void
  /** A line that the agent printed, without its newline. */
  print(line: string): void
}

/**
 * The beginning of a record. Printed text that begins in the same way gets a space in front, so that no reader takes it
 * for a record.
 */
const LOOKS_RECORDED = '{"acp"'

export const recorderTo = (write: (text: string) => void): Recorder => ({
  record: (what) => write(`${textOf(what)}\n`),
  print: (line) => write(`${line.startsWith(LOOKS_RECORDED) ? ' ' : ''}${line}\n`),
})

function textOf(what: AcpRecord): string {
  try {
    return JSON.stringify(what)
  } catch {
    const note: AcpRecord = { acp: 'note', text: `A record (${what.acp}) was left out because it is nested too deep.` }
    return JSON.stringify(note)
  }
}
