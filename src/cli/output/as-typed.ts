/** Prints commands in the form in which the person types them, such as `./muster up` in a clone. */
import { COMMAND_INDEX } from '../command-index.ts'

const firstWords = [
  ...new Set(COMMAND_INDEX.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => name.split(' ')[0])),
]
/** A painted command begins after the `m` of an escape sequence, which is not a letter of a longer word. */
const COMMAND = new RegExp(
  `(?:(?<=\\u001b\\[[\\d;]*m)|(?<![\\w./-]))muster(?= (?:${firstWords.join('|')})(?![\\w-]))`,
  'g',
)

/**
 * Adapts the commands in a text. `program` is the name that the person types for the program. Undefined means `muster`.
 */
export const asTyped = (text: string, program: string | undefined): string =>
  program === undefined || program === '' ? text : text.replace(COMMAND, program)
