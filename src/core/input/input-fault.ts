/** Describes a fault of an input in one sentence that names the field. */
import type { InputIssue } from '../decision.ts'
import { BoardError } from '../errors.ts'
import type { ErrorCode, ErrorDetails } from '../errors.ts'

/** Keys that only group other keys. Messages leave them out, because no user typed them. */
const WRAPPERS: ReadonlySet<PropertyKey> = new Set(['cards', 'set', 'settings'])

export function inputFault(error: { readonly issues: readonly InputIssue[] }, details: ErrorDetails): BoardError {
  const issue = error.issues[0]
  const field = (issue?.path ?? []).filter((key) => typeof key === 'string' && !WRAPPERS.has(key)).join('.')
  const isText = issue?.code === 'custom' && (issue.params as { code?: string } | undefined)?.code === 'bad_text'
  const code: ErrorCode = isText ? 'bad_text' : 'invalid_input'
  const sentence = `${field === '' ? 'The input' : field} ${issue?.message ?? 'is not valid'}.`
  return new BoardError(code, sentence, { details: { field, ...details } })
}
