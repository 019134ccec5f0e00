/** An error of the client: a refusal of the server (RFC 9457), or a server that cannot be used. */
import type { ErrorCode } from './api.ts'

/** An error code. A newer server may send a code that this version does not know. */
export type ClientErrorCode = ErrorCode | (string & Record<never, never>)

interface ErrorFacts {
  readonly status: number | null
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryable?: boolean
  readonly cause?: unknown
}

export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly code: ClientErrorCode
  /** The HTTP status. Null means that no response arrived. */
  readonly status: number | null
  readonly details: Readonly<Record<string, unknown>>
  /** Whether the same request may succeed later. */
  readonly retryable: boolean

  constructor(code: ClientErrorCode, message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.status = facts.status
    this.details = facts.details ?? {}
    this.retryable = facts.retryable ?? false
  }

  /** Returns a detail that is text. Returns null if the error has no such text. */
  detail(name: string): string | null {
    const value = this.details[name]
    return typeof value === 'string' ? value : null
  }
}

/** Reads a problem document. Returns null for any other value. */
export function errorOfProblem(value: unknown): ClientError | null {
  if (typeof value !== 'object' || value === null) return null
  const { code, detail, status, details, retryable } = value as Readonly<Record<string, unknown>>
  if (typeof code !== 'string' || typeof detail !== 'string') return null
  return new ClientError(code, detail, {
    status: typeof status === 'number' ? status : null,
    details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {},
    retryable: retryable === true,
  })
}
