/**
 * Maps SQLSTATEs and connection errors to Muster's error codes. The messages are equal to those for errors of SQLite.
 */
import { BoardError, diskFull } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/**
 * Whether the decision can be repeated. It can after a deadlock or a serialisation failure, and if another transaction
 * was faster to take a lock or a unique key.
 */
export const isRetryable = (error: unknown): boolean =>
  ['40P01', '40001', '55P03', '23505'].includes(codeOf(error)) || isStale(error)

/**
 * Whether the statement must be prepared again, because the table changed or the server dropped the prepared statement.
 */
export const isStale = (error: unknown): boolean => {
  const { routine } = (error ?? {}) as { routine?: unknown }
  return routine === 'RevalidateCachedQuery' || codeOf(error) === '26000'
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '57P01',
  '57P02',
  '57P03',
  '25P03',
  '53300',
])

/** Whether the connection is unusable, because the server closed it or could not be reached. */
export const isDisconnect = (error: unknown): boolean =>
  UNREACHABLE.has(codeOf(error)) || codeOf(error).startsWith('08')

const doesNotAnswer = (where: string): string =>
  `The PostgreSQL server of ${where} does not answer: check that it is running and that the address is right.`

function meaningOf(code: string, where: string): readonly [ErrorCode, string] | null {
  if (UNREACHABLE.has(code) || code.startsWith('08')) return ['store_unreachable', doesNotAnswer(where)]
  if (code === '28P01' || code === '28000' || code === '3D000' || code === 'SASL_SIGNATURE_MISMATCH')
    return [
      'store_auth_failed',
      `The PostgreSQL server refused to open ${where}: check user, password and database in MUSTER_STORE.`,
    ]
  if (code === '42501' || code === '25006')
    return ['store_read_only', `The store ${where} cannot be written: give this user write permission on its schema.`]
  if (code === '53200') return ['store_busy', `The PostgreSQL server of ${where} is out of memory: try again later.`]
  if (code === 'XX001' || code === 'XX002')
    return ['store_corrupt', `The PostgreSQL server reports damaged data in ${where}: restore a backup.`]
  if (code === '55P03' || code === '57014') return ['store_busy', `The store ${where} is busy: try again in a moment.`]
  return null
}

export function explain(error: unknown, where: string): unknown {
  if (error instanceof BoardError) return error
  const code = codeOf(error)
  if (code === '') return error
  const message = error instanceof Error ? error.message : String(error)
  if (code === '53100') return diskFull(where, { cause: error, details: { sqlstate: code } })
  const meaning = meaningOf(code, where)
  if (meaning === null)
    return new BoardError('internal', `The store ${where} failed: ${message}.`, {
      cause: error,
      details: { sqlstate: code },
    })
  return new BoardError(meaning[0], meaning[1], { cause: error, details: { sqlstate: code } })
}
