import { BoardError } from '../../core/errors.ts'
import { inputFault } from '../../core/input/input-fault.ts'
import type { Published } from './operation.ts'

/** Checks the input of an operation with its schema. The error describes the first fault. */
export async function checkInput(operation: Published, sent: unknown): Promise<unknown> {
  const parsed = (await operation.schemas()).input.safeParse(sent)
  if (parsed.success) {
    refuseUnknownFields(operation, sent, parsed.data)
    return parsed.data
  }
  throw inputFault(parsed.error, { verb: operation.name })
}

/**
 * Refuses unknown fields. A newer client may send a field that this version does not know; the error shows that the
 * field has no effect.
 */
function refuseUnknownFields({ name }: Published, sent: unknown, known: unknown): void {
  if (typeof sent !== 'object' || sent === null || typeof known !== 'object' || known === null) return
  const unknown = Object.entries(sent).find(([key, value]) => !Object.hasOwn(known, key) && hasValue(value))
  if (unknown === undefined) return
  throw new BoardError('invalid_input', `${name} has no field ${unknown[0]}. Remove it.`, {
    details: { field: unknown[0], verb: name },
  })
}

const hasValue = (value: unknown): boolean =>
  value != null && value !== false && !(Array.isArray(value) && value.length === 0)
