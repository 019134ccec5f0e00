/** The words of a command line → the values that a command asked for. */
import { BoardError } from '../core/errors.ts'
import type { CommonFlags } from './common-flags.ts'
import { PLACEHOLDER } from './placeholder.ts'
import { nearest } from '../util/nearest.ts'
import type { CliCommand } from './command.ts'
import { flagName } from './command.ts'
import type { World } from './world.ts'

interface Split {
  readonly words: readonly string[]
  /** What was typed for each flag, by its name without dashes; a switch counts as the empty text. */
  readonly flags: ReadonlyMap<string, readonly string[]>
}

export const usageError = (message: string, usage: string): BoardError =>
  new BoardError('invalid_input', message, { details: { usage } })

/** Takes words and flags apart. `takesValue` is undefined for flags that nobody knows. */
function splitLine(
  argv: readonly string[],
  takesValue: (name: string) => boolean | undefined,
  onUnknown: (name: string) => BoardError,
): Split {
  const words: string[] = []
  const flags = new Map<string, string[]>()
  const queue = [...argv]
  for (let token = queue.shift(); token !== undefined; token = queue.shift()) {
    if (token === '--') {
      words.push(...queue.splice(0))
    } else if (token === '-h') {
      flags.set('help', [''])
    } else if (!token.startsWith('--')) {
      words.push(token)
    } else {
      const equals = token.indexOf('=')
      const name = token.slice(2, equals === -1 ? undefined : equals)
      const wants = takesValue(name)
      if (wants === undefined) throw onUnknown(name)
      const inline = equals === -1 ? undefined : token.slice(equals + 1)
      if (!wants && inline !== undefined) throw usageError(`--${name} takes no value.`, 'unexpected_value')
      const value = wants ? (inline ?? takeValue(name, queue)) : ''
      flags.set(name, [...(flags.get(name) ?? []), value])
    }
  }
  return { words, flags }
}

function takeValue(name: string, queue: string[]): string {
  const next = queue[0]
  // A value that itself begins with two dashes is rare; a forgotten one is not.
  if (next === undefined || next.startsWith('--'))
    throw usageError(
      `--${name} needs a value${next === undefined ? '' : ` (write --${name}=${next} if that is it)`}.`,
      'missing_value',
    )
  queue.shift()
  return next
}

export function commonFlags({ flags }: Split): CommonFlags {
  const board = flags.get('board')?.at(-1)
  return { ...(board === undefined ? {} : { board }), json: flags.has('json'), help: flags.has('help') }
}

/** The line of one command, taken apart by its own flags and the common ones. */
export function splitFor(name: string, command: CliCommand, argv: readonly string[]): Split {
  const flags = new Map(Object.entries(command.flags ?? {}).map(([key, flag]) => [flagName(key), flag.value !== null]))
  flags.set('board', true).set('json', false).set('help', false)
  return splitLine(
    argv,
    (flag) => flags.get(flag),
    (flag) => {
      if (command.notYet?.includes(flag) === true)
        return usageError(`--${flag} is not available yet. Run muster ${name} without it.`, 'not_available')
      const meant = nearest(flag, [...flags.keys()])
      const hint = meant === null ? `muster ${name} --help lists them.` : `Did you mean --${meant}?`
      return usageError(`${name} has no flag --${flag}. ${hint}`, 'unknown_flag')
    },
  )
}

export async function readValues(
  name: string,
  command: CliCommand,
  { words, flags }: Split,
  world: World,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [key, given] of takeWords(name, command, words))
    values[key] = await read(`<${key}>`, given, () => command.args?.[key]?.read(given, world))
  for (const [key, flag] of Object.entries(command.flags ?? {})) {
    const given = flags.get(flagName(key))
    if (given !== undefined || flag.value === null)
      values[key] = await read(`--${flagName(key)}`, given ?? [], () => flag.read(given ?? [], world))
  }
  return values
}

/** Which words go to which argument; too few and too many are both said. */
function takeWords(name: string, command: CliCommand, words: readonly string[]): [string, readonly string[]][] {
  const args = Object.entries(command.args ?? {})
  const left = [...words]
  const taken = args.map(([key, { arity }]): [string, readonly string[]] => {
    if (arity === 'many' || arity === 'any') return [key, left.splice(0)]
    if (arity === 'one' && left.length === 0)
      throw usageError(`${name} needs <${key}>: muster ${name} --help shows how.`, 'missing_argument')
    return [key, left.splice(0, 1)]
  })
  const [extra] = left
  if (extra !== undefined)
    throw usageError(
      `${name} does not know what to do with "${extra}": put a text of several words in quotes.`,
      'excess_argument',
    )
  return taken
}

/** A complaint of a reader, with the word it is about in front. */
async function read(what: string, given: readonly string[], use: () => unknown): Promise<unknown> {
  if (given.includes(PLACEHOLDER)) throw usageError(`${what}: replace ${PLACEHOLDER} with a value.`, 'placeholder')
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof BoardError) || error.code !== 'invalid_input' || error.cause !== undefined) throw error
    throw usageError(`${what}: ${error.message}.`, 'bad_value')
  }
}
