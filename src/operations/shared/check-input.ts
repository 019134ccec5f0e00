import { BoardError } from '../../core/errors.ts'
import { inputFault } from '../../core/input/input-fault.ts'
import type { Published } from './operation.ts'

/** What somebody sent for an operation, checked by its own schema; the first fault is one sentence. */
export async function checkInput(operation: Published, sent: unknown): Promise<unknown> {
  const parsed = (await operation.schemas()).input.safeParse(sent)
  if (parsed.success) {
    refuseUnknown(operation, sent, parsed.data)
    return parsed.data
  }
  throw inputFault(parsed.error, { verb: operation.name })
}

/** Whoever asks may be newer than we are: a wish that we do not know must not be dropped without a word. */
function refuseUnknown({ name }: Published, sent: unknown, known: unknown): void {
  if (typeof sent !== 'object' || sent === null || typeof known !== 'object' || known === null) return
  const unknown = Object.entries(sent).find(([key, value]) => !Object.hasOwn(known, key) && saysSomething(value))
  if (unknown === undefined) return
  throw new BoardError('invalid_input', `${name} knows no ${unknown[0]}: leave it out.`, {
    details: { field: unknown[0], verb: name },
  })
}

const saysSomething = (value: unknown): boolean =>
  value != null && value !== false && !(Array.isArray(value) && value.length === 0)
