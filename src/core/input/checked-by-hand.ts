/**
 * Checks the input of the verb `register` without the schema library, because loading the library takes longer than the
 * rest of a supervisor's start. A test compares the results with those of the schemas.
 */
import type { InputCheck, InputIssue } from '../decision.ts'
import { textFault } from '../text.ts'

type Path = readonly string[]

class InputFault extends Error {
  readonly issue: InputIssue

  constructor(path: Path, message: string, badText: boolean) {
    super(message)
    this.issue = { path, message, code: 'custom', ...(badText ? { params: { code: 'bad_text' } } : {}) }
  }
}

/**
 * Builds an input check from `read`. The function `read` parses the input and throws an error if a value is not valid.
 */
export function checkedByHand<Input, Raw>(read: (given: Readonly<Record<string, unknown>>) => Input) {
  const safeParse: InputCheck<Input, Raw>['safeParse'] = (given) => {
    try {
      return { success: true, data: read(recordAt(given, [])) }
    } catch (error) {
      if (error instanceof InputFault) return { success: false, error: { issues: [error.issue] } }
      throw error
    }
  }
  // The cast adds the type of the caller's input, which exists only at compile time.
  return { safeParse } as InputCheck<Input, Raw>
}

export function recordAt(value: unknown, path: Path): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputFault(path, 'must be given', false)
  return value as Readonly<Record<string, unknown>>
}

function textAt(value: unknown, path: Path): string {
  if (typeof value !== 'string') throw new InputFault(path, 'must be text', false)
  const fault = textFault(value)
  if (fault !== null) throw new InputFault(path, fault, true)
  return value
}

/** Accepts the same values as the schema `line`: a text that is not blank. The text is trimmed. */
export function lineAt(value: unknown, path: Path): string {
  const line = textAt(value, path).trim()
  if (line === '') throw new InputFault(path, 'must not be blank', false)
  return line
}

export const optionalTextAt = (value: unknown, path: Path): string | null =>
  value === undefined || value === null ? null : textAt(value, path)

export function idAt<Id extends string>(value: unknown, path: Path, is: (text: string) => text is Id): Id {
  if (typeof value !== 'string' || !is(value)) throw new InputFault(path, 'is not an id', false)
  return value
}

export function countAt(value: unknown, path: Path): number {
  if (!Number.isSafeInteger(value) || Number(value) < 1)
    throw new InputFault(path, 'must be a whole number above 0', false)
  return Number(value)
}
