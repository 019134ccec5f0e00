/**
 * The protocol between the processes of a run and its supervisor. Each request and each answer is one line of JSON on a
 * Unix socket:
 *
 * - → {"v": 1, "id": 7, "nonce": "…", "op": "show", "input": {"task": "t_…"}}
 * - ← {"id": 7, "output": …}
 * - ← {"id": 7, "error": {"code": "…", "message": "…", "details": {…}}}
 *
 * Several requests may be open at the same time, and answers may arrive in another order. An answer whose id is null
 * concerns the whole connection.
 */
import { BoardError, ERROR_CODES, asBoardError } from '../../core/errors.ts'
import type { ErrorCode, ErrorDetails } from '../../core/errors.ts'
import { isRecord } from '../../util/json-fields.ts'

export const PROTOCOL_VERSION = 1

/** The maximum size of a request: the longest body of a card, with every character escaped. */
export const REQUEST_BYTES = 8 * 1024 * 1024
/** The maximum size of an answer: a board of about ten thousand cards. Larger boards are read page by page. */
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
 * A parsed request. Invalid fields are replaced and not rejected, so that a caller without the nonce always gets the
 * same error.
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

/** Parses an error. A supervisor of another version may send error codes that this process does not know. */
function faultIn({ code, message, details }: Readonly<Record<string, unknown>>): SocketFault {
  const known = typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)
  return {
    code: known ? (code as ErrorCode) : 'internal',
    message: typeof message === 'string' ? message : 'The supervisor refused the request without a reason.',
    details: isRecord(details) ? details : {},
  }
}

/** Parses a line. Returns null for invalid UTF-8; otherwise replacement characters would be stored as content. */
function recordIn(line: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/**
 * The error if the run is over or this process does not have the run's nonce. An agent that was started by another
 * agent also gets this error: it inherits the id of the run but not the nonce.
 */
export const runOver = (run: string, cause?: unknown): BoardError =>
  new BoardError(
    'run_over',
    `Run ${run} does not accept this request: the run is over, or this process does not have its nonce.`,
    { details: { runId: run }, cause },
  )

/**
 * The part that the supervisor adds to the card when it answers a verdict. It is needed because the card itself changes
 * only when the run ends.
 */
export interface Recorded {
  readonly recorded: string
}

/** The sentence about the recorded verdict. Null means that the answer has no such sentence. */
export const recordedIn = (answer: unknown): string | null =>
  isRecord(answer) && typeof answer['recorded'] === 'string' ? answer['recorded'] : null
