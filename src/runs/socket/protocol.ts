/**
 * The protocol between the processes of a run and its supervisor: one JSON value per line, over a Unix socket.
 *   → {"v": 1, "id": 7, "nonce": "…", "op": "show", "input": {"task": "t_…"}}
 *   ← {"id": 7, "output": …}   or   {"id": 7, "error": {"code": "…", "message": "…", "details": {…}}}
 * Requests may overlap, and answers may arrive in another order. An answer with a null id is about the whole connection.
 */
import { BoardError, ERROR_CODES, asBoardError } from '../../core/errors.ts'
import type { ErrorCode, ErrorDetails } from '../../core/errors.ts'
import { isRecord } from '../../util/json-fields.ts'

export const PROTOCOL_VERSION = 1

/** Enough for the longest body of a card, even if every character is escaped. */
export const REQUEST_BYTES = 8 * 1024 * 1024
/** Enough for a board of about ten thousand cards. Larger boards are read page by page. */
export const ANSWER_BYTES = 64 * 1024 * 1024

type RequestId = string | number

interface SocketFault {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
}

export type SocketAnswer =
  | { readonly id: RequestId | null; readonly output: unknown }
  | { readonly id: RequestId | null; readonly error: SocketFault }

/**
 * A request after parsing. Invalid fields are replaced, not rejected, so that a caller without the nonce always gets
 * the same error.
 */
export interface SocketRequest {
  readonly v: unknown
  readonly id: RequestId | null
  readonly nonce: string
  readonly op: string
  readonly input: unknown
}

export function readRequest(line: Uint8Array): SocketRequest {
  const { v, id, nonce, op, input } = recordIn(line) ?? {}
  return {
    v,
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    nonce: typeof nonce === 'string' ? nonce : '',
    op: typeof op === 'string' ? op : '',
    input: input ?? {},
  }
}

export function readAnswer(line: Uint8Array): SocketAnswer | null {
  const answer = recordIn(line)
  if (answer === null) return null
  const { id, output, error } = answer
  const about = typeof id === 'string' || typeof id === 'number' ? id : null
  return isRecord(error) ? { id: about, error: faultIn(error) } : { id: about, output }
}

export const socketFault = (error: unknown): SocketFault => asBoardError(error).toJSON()

export const asLine = (value: object): string => `${JSON.stringify(value)}\n`

/** Parses an error. The supervisor may have another version, with error codes that this process does not know. */
function faultIn({ code, message, details }: Readonly<Record<string, unknown>>): SocketFault {
  const known = typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)
  return {
    code: known ? (code as ErrorCode) : 'internal',
    message: typeof message === 'string' ? message : 'The supervisor refused the request without a reason.',
    details: isRecord(details) ? details : {},
  }
}

/** Returns null for invalid UTF-8, because otherwise replacement characters would be stored as content. */
function recordIn(line: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/**
 * The error if the run is over or this process does not have its nonce. An agent that another agent started gets it
 * too, because it inherits the id of the run but not the nonce.
 */
export const runOver = (run: string, cause?: unknown): BoardError =>
  new BoardError(
    'run_over',
    `Run ${run} does not accept this request: the run is over, or this process does not have its nonce.`,
    { details: { runId: run }, cause },
  )

/** Added to the card in the answer to a verdict, because the card itself changes only when the run ends. */
export interface Recorded {
  readonly recorded: string
}

/** The sentence about the recorded verdict; null if the answer has none. */
export const recordedIn = (answer: unknown): string | null =>
  isRecord(answer) && typeof answer['recorded'] === 'string' ? answer['recorded'] : null
