/**
 * The protocol between the processes of a run and its supervisor: one JSON value per line, over a Unix socket.
 *   → {"v": 1, "id": 7, "nonce": "…", "op": "show", "input": {"task": "t_…"}}
 *   ← {"id": 7, "output": …}   or   {"id": 7, "error": {"code": "…", "message": "…", "details": {…}}}
 * Requests may overlap, and so may their answers. An answer whose id is null is about the whole connection.
 */
import { BoardError, ERROR_CODES, asBoardError } from '../../core/errors.ts'
import type { ErrorCode, ErrorDetails } from '../../core/errors.ts'

export const PROTOCOL_VERSION = 1

/** Room for the longest body of a card, however its characters are escaped. */
export const REQUEST_BYTES = 8 * 1024 * 1024
/** A board of some ten thousand cards; larger ones are read page by page. */
export const ANSWER_BYTES = 64 * 1024 * 1024

type RequestId = string | number

interface Fault {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
}

export type Answer =
  { readonly id: RequestId | null; readonly output: unknown } | { readonly id: RequestId | null; readonly error: Fault }

/** A request as far as it is valid: a caller without the nonce gets the same error for any fault. */
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

export function readAnswer(line: Uint8Array): Answer | null {
  const answer = recordIn(line)
  if (answer === null) return null
  const { id, output, error } = answer
  const about = typeof id === 'string' || typeof id === 'number' ? id : null
  return isRecord(error) ? { id: about, error: faultIn(error) } : { id: about, output }
}

export const faultOf = (error: unknown): Fault => asBoardError(error).toJSON()

export const asLine = (value: object): string => `${JSON.stringify(value)}\n`

/** The supervisor may be of another version, with error codes that this process does not know. */
function faultIn({ code, message, details }: Readonly<Record<string, unknown>>): Fault {
  const known = typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)
  return {
    code: known ? (code as ErrorCode) : 'internal',
    message: typeof message === 'string' ? message : 'The supervisor refused the request without a reason.',
    details: isRecord(details) ? details : {},
  }
}

/** Invalid UTF-8 is rejected: replacement characters would be stored as content. */
function recordIn(line: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Also for a process that inherited the id of a run without its nonce, such as an agent started by another agent. */
export const runOver = (run: string, cause?: unknown): BoardError =>
  new BoardError(
    'run_over',
    `Nothing can be said for run ${run}: it is over, or this process was not given its nonce.`,
    { details: { runId: run }, cause },
  )

/** Added to a card when its own worker reports a verdict: the card itself has not changed yet. */
export interface Recorded {
  readonly recorded: string
}

/** The verdict that the supervisor recorded; null if it recorded none. */
export const recordedIn = (answer: unknown): string | null =>
  isRecord(answer) && typeof answer['recorded'] === 'string' ? answer['recorded'] : null
