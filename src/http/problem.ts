/** Errors as problem documents (RFC 9457). `code` is Muster's error code, which every surface uses. */
import { asBoardError, errorFacts } from '../core/errors.ts'
import type { BoardError } from '../core/errors.ts'

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>>
}

const RETRY_SECONDS = 1
const SIGN_IN_RETRY_SECONDS = 60

export function problemOf(error: BoardError): Problem {
  const { http, retry } = errorFacts(error.code)
  const title = error.code.replaceAll('_', ' ')
  return {
    type: `urn:muster:error:${error.code}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    status: http,
    detail: error.message,
    code: error.code,
    retryable: retry,
    details: error.details,
  }
}

export function problemResponse(thrown: unknown): Response {
  const error = asBoardError(thrown)
  const problem = problemOf(error)
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headersOf(error) },
  })
}

function headersOf({ code, details }: BoardError): Record<string, string> {
  if (code === 'sign_in_required') return { 'www-authenticate': 'Bearer realm="muster"' }
  if (code === 'method_not_allowed') return { allow: String(details['allow']) }
  if (code === 'too_many_attempts') return { 'retry-after': String(SIGN_IN_RETRY_SECONDS) }
  return errorFacts(code).http === 503 ? { 'retry-after': String(RETRY_SECONDS) } : {}
}
