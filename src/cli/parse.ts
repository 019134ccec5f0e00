/** Parses a command line into the values of a command. */
import { BoardError } from '../core/errors.ts'
import { COMMON_FLAGS, flagOfLetter } from './common-flags.ts'
import { nearest } from '../util/nearest.ts'
import type { CliCommand } from './command.ts'
import { flagName } from './command.ts'
import type { World } from './world.ts'

/**
 * The placeholder in a printed command for a value that the person must choose. The parser refuses it, so a pasted
 * command that still contains it changes nothing.
 */
export const PLACEHOLDER = '…'

/** The placeholder for a card id in the documentation. The parser refuses it, so a copied command changes nothing. */
const ID_PLACEHOLDER = 't_…'

interface Split {
  readonly positionals: readonly string[]
  /**
   * The values of each flag. The key is the name of the flag without dashes. The value of a switch is an empty text.
   */
  readonly flags: ReadonlyMap<string, readonly string[]>
}

export const usageError = (message: string, usage: string): BoardError =>
  new BoardError('invalid_input', message, { details: { usage } })

/** The properties of a flag that the parser needs. */
interface FlagKind {
  /** The placeholder of the flag's value. This is null for a switch. */
  readonly value: string | null
  readonly acceptsValue?: boolean | undefined
}

/** Separates the arguments and flags of one line. */
class LineSplitter {
  readonly #queue: string[]
  readonly #kinds: ReadonlyMap<string, FlagKind>
  /** Makes the error for an unknown flag, in the form that the user typed: `--nmae`, `-x`. */
  readonly #unknown: (typed: string) => BoardError
  readonly #positionals: string[] = []
  readonly #flags = new Map<string, string[]>()

  constructor(argv: readonly string[], kinds: ReadonlyMap<string, FlagKind>, unknown: (typed: string) => BoardError) {
    this.#queue = [...argv]
    this.#kinds = kinds
    this.#unknown = unknown
  }

  split(): Split {
    for (let token = this.#queue.shift(); token !== undefined; token = this.#queue.shift()) {
      if (token === '--') this.#positionals.push(...this.#queue.splice(0))
      else if (token.startsWith('--')) this.#readLong(token)
      // A single dash means standard input, and -5 is a number, so neither of them is a flag.
      else if (/^-[^\d-]/.test(token)) this.#readLetters(token)
      else this.#positionals.push(token)
    }
    return { positionals: this.#positionals, flags: this.#flags }
  }

  #readLong(token: string): void {
    const [, name = '', inline] = /^--([^=]*)(?:=(.*))?$/s.exec(token) ?? []
    const kind = this.#kinds.get(name)
    if (kind === undefined) throw this.#unknown(`--${name}`)
    if (kind.value === null && inline !== undefined && kind.acceptsValue !== true)
      throw usageError(`--${name} takes no value.`, 'unexpected_value')
    this.#add(name, inline ?? (kind.value === null ? '' : takeValue(`--${name}`, kind.value, this.#queue)))
  }

  /** Parses short flags, such as `-qy`, `-n 20`, `-n20` and `-n=20`. */
  #readLetters(token: string): void {
    for (let at = 1; at < token.length; at += 1) {
      const letter = token.charAt(at)
      const name = flagOfLetter(letter, (flag) => this.#kinds.has(flag))
      if (name === undefined) throw this.#unknown(`-${letter}`)
      const placeholder = this.#kinds.get(name)?.value ?? null
      if (placeholder !== null) {
        const inline = token.slice(at + 1).replace(/^=/, '')
        return this.#add(name, inline === '' ? takeValue(`-${letter}`, placeholder, this.#queue) : inline)
      }
      this.#add(name, '')
    }
  }

  #add(name: string, value: string): void {
    this.#flags.set(name, [...(this.#flags.get(name) ?? []), value])
  }
}

const EXAMPLES: Readonly<Record<string, (name: string) => string>> = {
  '<reason>': (name) => `a reason, such as ${name} "flaky test"`,
}

function takeValue(name: string, placeholder: string, queue: string[]): string {
  const next = queue[0]
  // A word that begins with two dashes is probably another flag, and the user forgot the value.
  if (next === undefined || next.startsWith('--'))
    throw usageError(
      `${name} needs ${EXAMPLES[placeholder]?.(name) ?? 'a value'}${next === undefined ? '' : ` (if the value is ${next}, write ${name}=${next})`}.`,
      'missing_value',
    )
  queue.shift()
  return next
}

/** Splits the line by the flags of the command and the common flags. */
export function splitFor(name: string, command: Pick<CliCommand, 'args' | 'flags'>, argv: readonly string[]): Split {
  const kinds = new Map<string, FlagKind>(
    Object.entries(command.flags ?? {}).map(([key, flag]) => [flagName(key), flag]),
  )
  for (const common of COMMON_FLAGS) kinds.set(common.name, common)
  const listed = [...kinds.keys()]
  return new LineSplitter(argv, kinds, (typed) =>
    typed.startsWith('--') ? unknownFlag(name, typed, listed) : unknownLetter(name, command, typed, listed),
  ).split()
}

function unknownFlag(name: string, typed: string, listed: readonly string[]): BoardError {
  const flag = typed.slice(2)
  const meant = nearest(flag, listed)
  const hint = meant === null ? `To list the flags: muster ${name} --help` : `Did you mean --${meant}?`
  return usageError(`Unknown flag --${flag}. ${hint}`, 'unknown_flag')
}

function unknownLetter(
  name: string,
  { args = {} }: Pick<CliCommand, 'args'>,
  typed: string,
  listed: readonly string[],
): BoardError {
  const meant = listed.find((flag) => flag.startsWith(typed.slice(1)))
  if (meant !== undefined) return usageError(`Unknown flag ${typed}. Did you mean --${meant}?`, 'unknown_flag')
  const hint =
    Object.keys(args).length === 0
      ? `To list the flags: muster ${name} --help`
      : `For a text that begins with a dash, put -- before it: muster ${name} -- ${typed}`
  return usageError(`Unknown flag ${typed}. ${hint}`, 'unknown_flag')
}

export async function readValues(
  name: string,
  command: CliCommand,
  { positionals, flags }: Split,
  world: World,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [key, given] of assignPositionals(name, command, positionals))
    values[key] = await read(`<${key}>`, given, () => command.args?.[key]?.read(given, world))
  for (const [key, flag] of Object.entries(command.flags ?? {})) {
    const given = flags.get(flagName(key))
    if (given !== undefined || flag.value === null)
      values[key] = await read(`--${flagName(key)}`, given ?? [], () => flag.read(given ?? [], world))
  }
  return values
}

/** Assigns each positional value to its argument. Throws an error for too few or too many values. */
function assignPositionals(
  name: string,
  command: CliCommand,
  positionals: readonly string[],
): [string, readonly string[]][] {
  const args = Object.entries(command.args ?? {})
  const left = [...positionals]
  const taken = args.map(([key, { arity }]): [string, readonly string[]] => {
    if (arity === 'many' || arity === 'any') return [key, left.splice(0)]
    if (arity === 'one' && left.length === 0)
      throw usageError(`muster ${name} needs <${key}>. For help: muster ${name} --help`, 'missing_argument')
    return [key, left.splice(0, 1)]
  })
  const [extra] = left
  if (extra !== undefined)
    throw usageError(`Unexpected argument "${extra}". Put a text of several words in quotes.`, 'excess_argument')
  return taken
}

/** Parses a value. If this fails, the name of the flag or argument is added to the error. */
async function read(name: string, given: readonly string[], use: () => unknown): Promise<unknown> {
  if (given.includes(PLACEHOLDER)) throw usageError(`${name}: replace ${PLACEHOLDER} with a value.`, 'placeholder')
  if (given.includes(ID_PLACEHOLDER))
    throw usageError(
      `${name}: replace ${ID_PLACEHOLDER} with the id of a card. To list them: muster list`,
      'placeholder',
    )
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof BoardError) || error.code !== 'invalid_input' || error.cause !== undefined) throw error
    throw usageError(`${name}: ${error.message}${/[?.]$/.test(error.message) ? '' : '.'}`, 'bad_value')
  }
}
