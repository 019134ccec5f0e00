import { randomInt } from 'node:crypto'

/** The values in a random order (Fisher-Yates). */
export function inRandomOrder<T>(values: readonly T[]): readonly T[] {
  const left = [...values]
  return values.flatMap(() => left.splice(randomInt(left.length), 1))
}
