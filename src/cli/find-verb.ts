/** Which verb a line calls. */
import type { BoardError } from '../core/errors.ts'
import type { VerbEntry } from './manifest-entry.ts'
import { usageError } from './parse.ts'
import { nearest } from './suggest.ts'

interface Found {
  readonly entry: VerbEntry | null
  /** The line without the words that name the verb; with no verb found, the words that name none. */
  readonly rest: readonly string[]
  readonly help: boolean
  readonly version: boolean
}

const names = ({ name, aliases }: VerbEntry): readonly string[] => [name, ...aliases]

const byName = (manifest: readonly VerbEntry[], wanted: string): VerbEntry | null =>
  manifest.find((entry) => names(entry).includes(wanted)) ?? null

/** Common flags may stand before the verb; `help` in front of it asks about it. */
export function findVerb(manifest: readonly VerbEntry[], argv: readonly string[]): Found {
  const at = verbPosition(argv)
  const before = argv.slice(0, at)
  const asks = argv[at] === 'help'
  const [first, second] = argv.slice(asks ? at + 1 : at)
  const typed = argv.slice(asks ? at + 1 : at)
  const version = at === argv.length && before.some((word) => word === '--version' || word === '-V')
  const helps = asks || (at === argv.length && before.some((word) => word === '--help' || word === '-h'))
  if (first === undefined) return { entry: null, rest: [], help: helps, version }
  const two = second === undefined ? null : byName(manifest, `${first} ${second}`)
  // `boards` alone lists them; `boards creat` is a mistake, not a list.
  const isMistake =
    second !== undefined && !second.startsWith('-') && manifest.some(({ name }) => name.startsWith(`${first} `))
  const entry = two ?? (isMistake ? null : byName(manifest, first))
  if (entry === null) return { entry, rest: typed, help: helps, version }
  return { entry, rest: [...before, ...typed.slice(two === null ? 1 : 2)], help: helps, version }
}

/** The first word that is not a common flag or its value. */
function verbPosition(argv: readonly string[]): number {
  let at = 0
  while (at < argv.length && argv[at]?.startsWith('-')) at += argv[at] === '--board' ? 2 : 1
  return Math.min(at, argv.length)
}

export function unknownVerb(manifest: readonly VerbEntry[], [first = '', second]: readonly string[]): BoardError {
  const group = manifest.filter(({ name }) => name.startsWith(`${first} `))
  const [typed, known] =
    group.length > 0
      ? [`${first}${second === undefined ? '' : ` ${second}`}`, group.map(({ name }) => name)]
      : [first, [...new Set(manifest.flatMap((entry) => names(entry).map((name) => name.split(' ')[0] ?? '')))]]
  const meant = nearest(typed, known)
  const hint = meant === null ? 'muster help lists what there is.' : `Did you mean muster ${meant}?`
  return usageError(`There is no verb ${typed}. ${hint}`, 'unknown_verb')
}
