/**
 * Converts errors to plain data for another thread or process. A cloned error keeps its message but loses its class,
 * code, details and cause.
 */
import { BoardError } from '../core/errors.ts'
import type { ErrorCode, ErrorDetails } from '../core/errors.ts'

export type PackedError =
  | { readonly is: 'board'; readonly code: ErrorCode; readonly details: ErrorDetails; readonly words: ErrorText }
  | {
      readonly is: 'error'
      readonly name: string
      readonly own: Readonly<Record<string, unknown>>
      readonly words: ErrorText
    }
  | { readonly is: 'value'; readonly value: unknown }

interface ErrorText {
  readonly message: string
  readonly stack: string | undefined
  readonly cause: PackedError | null
}

export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) return { is: 'value', value: error }
  const { message, stack, cause } = error
  const words = { message, stack, cause: cause === undefined ? null : packError(cause) }
  if (error instanceof BoardError) return { is: 'board', code: error.code, details: error.details, words }
  // The fields that a driver or the system adds: `code`, `errcode`, `errno`, `syscall`, `path`.
  const own = Object.entries(error).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return { is: 'error', name: error.name, own: Object.fromEntries(own), words }
}

const CLASSES: Readonly<Record<string, ErrorConstructor>> = { RangeError, SyntaxError, TypeError }

export function unpackError(packed: PackedError): unknown {
  if (packed.is === 'value') return packed.value
  const { message, stack, cause } = packed.words
  const because = cause === null ? {} : { cause: unpackError(cause) }
  const error =
    packed.is === 'board'
      ? new BoardError(packed.code, message, { details: packed.details, ...because })
      : named(new (CLASSES[packed.name] ?? Error)(message, because), packed)
  if (stack !== undefined) error.stack = stack
  return error
}

/**
 * Restores the name and the other fields of an error. An error of a built-in class already has its name. For other
 * errors, the name becomes a property.
 */
function named(error: Error, { name, own }: { name: string; own: Readonly<Record<string, unknown>> }): Error {
  Object.assign(error, own)
  if (error.name !== name) error.name = name
  return error
}
