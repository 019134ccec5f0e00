/** Parses a command line into the values of a command. */
import { BoardError } from '../core/errors.ts'
import type { CommonFlags } from './manifest-entry.ts'
import { nearest } from '../util/nearest.ts'
import type { CliCommand } from './command.ts'
import { flagName } from './command.ts'
import type { World } from './world.ts'

/**
 * Stands for a value that the person chooses in a printed command. The parser refuses it, so a pasted command that still
 * contains it changes nothing.
 */
export const PLACEHOLDER = '…'

interface Split {
  readonly positionals: readonly string[]
  /** The values of each flag, by its name without dashes. The value of a switch is the empty string. */
  readonly flags: ReadonlyMap<string, readonly string[]>
}

export const usageError = (message: string, usage: string): BoardError =>
  new BoardError('invalid_input', message, { details: { usage } })

/** Separates arguments and flags. `valueOf` returns a flag's placeholder: null for a switch, undefined for an unknown flag. */
function splitLine(
  argv: readonly string[],
  valueOf: (name: string) => string | null | undefined,
  onUnknown: (name: string) => BoardError,
): Split {
  const positionals: string[] = []
  const flags = new Map<string, string[]>()
  const queue = [...argv]
  for (let token = queue.shift(); token !== undefined; token = queue.shift()) {
    if (token === '--') {
      positionals.push(...queue.splice(0))
    } else if (token === '-h') {
      flags.set('help', [''])
    } else if (!token.startsWith('--')) {
      positionals.push(token)
    } else {
      const equals = token.indexOf('=')
      const name = token.slice(2, equals === -1 ? undefined : equals)
      const placeholder = valueOf(name)
      if (placeholder === undefined) throw onUnknown(name)
      const inline = equals === -1 ? undefined : token.slice(equals + 1)
      if (placeholder === null && inline !== undefined)
        throw usageError(`--${name} takes no value.`, 'unexpected_value')
      const value = placeholder === null ? '' : (inline ?? takeValue(name, placeholder, queue))
      flags.set(name, [...(flags.get(name) ?? []), value])
    }
  }
  return { positionals, flags }
}

const COMMON = ['board', 'json', 'help'] as const

const EXAMPLES: Readonly<Record<string, (name: string) => string>> = {
  '<reason>': (name) => `a reason, such as --${name} "flaky test"`,
}

function takeValue(name: string, placeholder: string, queue: string[]): string {
  const next = queue[0]
  // A value that begins with two dashes is rare; a forgotten value is common.
  if (next === undefined || next.startsWith('--'))
    throw usageError(
      `--${name} needs ${EXAMPLES[placeholder]?.(name) ?? 'a value'}${next === undefined ? '' : ` (if the value is ${next}, write --${name}=${next})`}.`,
      'missing_value',
    )
  queue.shift()
  return next
}

export function commonFlags({ flags }: Split): CommonFlags {
  const board = flags.get('board')?.at(-1)
  return { ...(board === undefined ? {} : { board }), json: flags.has('json'), help: flags.has('help') }
}

/** Splits the line by the flags of the command and the common flags. */
export function splitFor(name: string, command: CliCommand, argv: readonly string[]): Split {
  const flags = new Map(Object.entries(command.flags ?? {}).map(([key, flag]) => [flagName(key), flag.value]))
  for (const common of COMMON) flags.set(common, common === 'board' ? '<slug>' : null)
  return splitLine(
    argv,
    (flag) => flags.get(flag),
    (flag) => {
      if (command.notYet?.includes(flag) === true)
        return usageError(`--${flag} is not available yet. Run muster ${name} without it.`, 'not_available')
      const meant = nearest(flag, [...flags.keys()])
      const hint = meant === null ? `To list the flags: muster ${name} --help` : `Did you mean --${meant}?`
      return usageError(`Unknown flag --${flag}. ${hint}`, 'unknown_flag')
    },
  )
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

/** Assigns each positional value to its argument. Too few and too many are refused. */
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
  if (extra !== undefined) throw usageError(excessText(command, extra), 'excess_argument')
  return taken
}

/** `-b` is not a flag, but its letter may begin one. */
function excessText({ flags = {} }: CliCommand, extra: string): string {
  if (!extra.startsWith('-')) return `Unexpected argument "${extra}". Put a text of several words in quotes.`
  const meant = [...COMMON, ...Object.keys(flags).map(flagName)].find((flag) => flag.startsWith(extra.slice(1)))
  return `Unknown flag ${extra}.${meant === undefined || extra === '-' ? '' : ` Did you mean --${meant}?`}`
}

/** Puts the name of the flag or argument in front of the reader's message. */
async function read(name: string, given: readonly string[], use: () => unknown): Promise<unknown> {
  if (given.includes(PLACEHOLDER)) throw usageError(`${name}: replace ${PLACEHOLDER} with a value.`, 'placeholder')
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof BoardError) || error.code !== 'invalid_input' || error.cause !== undefined) throw error
    throw usageError(`${name}: ${error.message}.`, 'bad_value')
  }
}
