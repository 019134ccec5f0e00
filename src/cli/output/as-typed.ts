/** Prints commands as this person types the program: `./muster up` in a clone. */
import { COMMAND_INDEX } from '../command-index.ts'

const firstWords = [
  ...new Set(COMMAND_INDEX.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => name.split(' ')[0])),
]
const COMMAND = new RegExp(`(?<![\\w./-])muster(?= (?:${firstWords.join('|')})(?![\\w-]))`, 'g')

/** `program`: how the person called the program, if not as `muster`. */
export const asTyped = (text: string, program: string | undefined): string =>
  program === undefined || program === '' ? text : text.replace(COMMAND, program)
