/** Finds the command that a command line names. */
import type { BoardError } from '../core/errors.ts'
import type { CommandKey } from './manifest-entry.ts'
import { COMMON_FLAGS, letterOf } from './common-flags.ts'
import { usageError } from './parse.ts'
import { nearest } from '../util/nearest.ts'

interface FoundCommand<E> {
  readonly entry: E | null
  /** The typed name of the command, which may be an alias. */
  readonly called: string
  /** The rest of the line after the name of the command. If no command was found, this has the unknown words. */
  readonly rest: readonly string[]
  readonly version: boolean
}

const names = ({ name, aliases }: CommandKey): readonly string[] => [name, ...aliases]

export const commandNamed = <E extends CommandKey>(manifest: readonly E[], wanted: string): E | null =>
  manifest.find((entry) => names(entry).includes(wanted)) ?? null

/** Finds the command. Common flags may come before it. A line without a command requests help or the version. */
export function findCommand<E extends CommandKey>(manifest: readonly E[], argv: readonly string[]): FoundCommand<E> {
  const at = commandPosition(argv)
  const before = argv.slice(0, at)
  const [first, second, ...others] = argv.slice(at)
  if (first === undefined) {
    const asks = (...spellings: string[]): boolean => before.some((word) => spellings.includes(word))
    const rest = before.filter((word) => word !== '--help' && word !== '-h')
    return { entry: commandNamed(manifest, 'help'), called: 'help', rest, version: asks('--version', '-V') }
  }
  const two = second === undefined ? null : commandNamed(manifest, `${first} ${second}`)
  if (two !== null) return { entry: two, called: `${first} ${second}`, rest: [...before, ...others], version: false }
  // The word `boards` alone lists the boards, but `boards creat` is a mistake.
  const isMistake =
    second !== undefined && !second.startsWith('-') && manifest.some(({ name }) => name.startsWith(`${first} `))
  const entry = isMistake ? null : commandNamed(manifest, first)
  if (entry === null) return { entry, called: '', rest: argv.slice(at), version: false }
  return { entry, called: first, rest: [...before, ...argv.slice(at + 1)], version: false }
}

const TAKE_VALUES: ReadonlySet<string> = new Set(
  COMMON_FLAGS.filter(({ value }) => value !== null).flatMap(({ name }) => [`--${name}`, `-${letterOf(name) ?? ''}`]),
)

/** The position of the first word that is neither a common flag nor the value of a common flag. */
export function commandPosition(argv: readonly string[]): number {
  let at = 0
  while (argv[at]?.startsWith('-')) at += TAKE_VALUES.has(argv[at] ?? '') ? 2 : 1
  return Math.min(at, argv.length)
}

export function unknownCommand(manifest: readonly CommandKey[], [first = '', second]: readonly string[]): BoardError {
  const group = manifest.filter(({ name }) => name.startsWith(`${first} `))
  const [typed, known] =
    group.length > 0
      ? [`${first}${second === undefined ? '' : ` ${second}`}`, group.map(({ name }) => name)]
      : [first, [...new Set(manifest.flatMap((entry) => names(entry).map((name) => name.split(' ')[0] ?? '')))]]
  const meant = nearest(typed, known)
  const hint = meant === null ? 'To list all commands: muster help' : `Did you mean muster ${meant}?`
  return usageError(`Unknown command "${typed}". ${hint}`, 'unknown_verb')
}
