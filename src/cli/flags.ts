/** The kinds of words and flags that commands are made of: how each is read, and what is said when it cannot be. */
import { resolve } from 'node:path'
import { parseDuration } from '../config/duration.ts'
import { parseMoment } from '../config/moment.ts'
import { BoardError } from '../core/errors.ts'
import type { Json } from '../core/input/fields.ts'
import { isSlug } from '../core/ids.ts'
import { readText } from './read-text.ts'
import type { Arg, Flag } from './command.ts'

/** A reader's complaint; the parser says in front of it which word it is about. */
export const badValue = (what: string): BoardError => new BoardError('invalid_input', what)

const last = (given: readonly string[]): string => given.at(-1) ?? ''

const valued = <T>(
  value: string,
  describe: string | undefined,
  read: (text: string, world: Parameters<Flag<T>['read']>[1]) => T | Promise<T>,
): Flag<T> => ({ value, describe, repeatable: false, read: (given, world) => read(last(given), world) })

export const toggle = (describe?: string): Flag<boolean> => ({
  value: null,
  describe,
  repeatable: false,
  read: (given) => given.length > 0,
})

export const text = (value = '<text>', describe?: string): Flag<string> => valued(value, describe, (typed) => typed)

/** A line that says something. */
export const line = (value = '<text>', describe?: string): Flag<string> =>
  valued(value, describe, (typed) => {
    if (typed.trim() === '') throw badValue('say something')
    return typed.trim()
  })

/** A text on the line, on standard input (`-`) or in a file (`@path`). */
export const longText = (describe?: string): Flag<string> => ({
  ...valued('<text>', describe, (typed, world) => readText(world, typed)),
  completes: 'atFile',
})

const amongWords = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? `there is only ${first}` : `choose among ${[first, ...others].join(', ')}`

export const choice = <const T extends string>(values: readonly T[], describe?: string): Flag<T> => ({
  ...valued('<word>', describe, (typed) => {
    const found = values.find((value) => value === typed.trim().toLowerCase())
    if (found === undefined) throw badValue(amongWords(values))
    return found
  }),
  choices: values,
})

export const whole = ({ min }: { min?: number } = {}, describe?: string): Flag<number> =>
  valued('<n>', describe, (typed) => {
    const value = Number(typed)
    if (typed.trim() === '' || !Number.isSafeInteger(value) || (min !== undefined && value < min))
      throw badValue(min === undefined ? 'give a whole number' : `give a whole number from ${min}`)
    return value
  })

export const duration = (describe?: string): Flag<number> =>
  valued('<time>', describe, (typed) => {
    const ms = parseDuration(typed)
    if (ms === null) throw badValue('write 90 (seconds), 90s, 30m, 2h or 1d')
    return ms
  })

export const moment = (describe?: string): Flag<number> =>
  valued('<when>', describe, (typed, { now }) => {
    const at = parseMoment(typed, now())
    if (at === null) throw badValue('write 2026-11-30, 2026-11-30T09:00, 09:00, tomorrow or +2h')
    return at
  })

/** A moment that is still to come. */
export const laterMoment = (describe?: string): Flag<number> => {
  const flag = moment(describe)
  const read: Flag<number>['read'] = async (given, world) => {
    const at = await flag.read(given, world)
    if (at <= world.now()) throw badValue(`${last(given).trim()} has passed`)
    return at
  }
  return { ...flag, read }
}

export const jsonObject = (describe?: string): Flag<Json> =>
  valued('<json>', describe, (typed) => {
    try {
      const value: unknown = JSON.parse(typed)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
    } catch {
      // Said below, in the same words.
    }
    throw badValue('give a JSON object, such as {"tests": 12}')
  })

/** Agents are compared in lower case; `none`, `-` and `null` say that nobody is meant. */
export const agentOrNone = (describe?: string): Flag<string | null> => ({
  ...valued('<agent>', describe, nameOrNone),
  completes: 'agent',
})
export const agent = (describe?: string): Flag<string> => ({
  ...valued('<agent>', describe, agentName),
  completes: 'agent',
})
export const card = (describe?: string): Flag<string> => ({ ...text('<id>', describe), completes: 'card' })

const agentName = (typed: string): string => {
  if (typed.trim() === '') throw badValue('name an agent')
  return typed.trim().toLowerCase()
}

const nameOrNone = (typed: string): string | null => (/^(none|-|null)$/i.test(typed.trim()) ? null : agentName(typed))

/** A file, as named from where somebody stands. */
export const file = (describe?: string): Flag<string> => ({
  ...valued('<file>', describe, (typed) => resolve(typed)),
  completes: 'file',
})

/** The same flag, as often as one likes. */
export const each = <T>(flag: Flag<T>): Flag<readonly T[]> => ({
  ...flag,
  repeatable: true,
  read: (given, world) => Promise.all(given.map((typed) => flag.read([typed], world))),
})

/** The same flag or word, with fewer words about it in help. */
export const briefly = <T extends Arg<unknown> | Flag<unknown>>(brief: string, flag: T): T => ({ ...flag, brief })

/** The same flag, with the word `none` to clear what is there. */
export const orNone = <T>(flag: Flag<T>): Flag<T | null> => ({
  ...flag,
  read: (given, world) => (last(given).trim().toLowerCase() === 'none' ? null : flag.read(given, world)),
})

/** A repeatable flag, with the word `none` to empty the list. */
export const listOrNone = <T>(flag: Flag<T>): Flag<T | readonly never[]> => ({
  ...flag,
  read: (given, world) =>
    given.length === 1 && given[0]?.trim().toLowerCase() === 'none' ? [] : flag.read(given, world),
})

/** A flag under its own name that fills another field: `--hold` is `held`. */
export const filling = <T>(field: string, flag: Flag<T>): Flag<T> => ({ ...flag, field })

// Words

export const word = (describe?: string): Arg<string> => ({ arity: 'one', describe, read: last })

export const optionalWord = (describe?: string): Arg<string | undefined> => ({
  arity: 'optional',
  describe,
  read: (given) => given[0],
})

/** Everything that is left, as one text. */
export const words = (describe?: string): Arg<string | undefined> => ({
  arity: 'many',
  describe,
  read: (given) => (given.length === 0 ? undefined : given.join(' ')),
})

/** Everything that is left, word by word. */
export const listOf = (describe?: string): Arg<readonly string[]> => ({
  arity: 'any',
  describe,
  read: (given) => given,
})

/** One of a few words. */
export const choiceWord = <const T extends string>(choices: readonly T[], describe?: string): Arg<T> => ({
  arity: 'one',
  describe,
  choices,
  read: (given) => {
    const found = choices.find((value) => value === last(given).trim().toLowerCase())
    if (found === undefined) throw badValue(amongWords(choices))
    return found
  },
})

/** A board, in the one spelling that boards have. */
export const fileWord = (describe?: string): Arg<string> => ({
  arity: 'one',
  describe,
  completes: 'file',
  read: (given) => resolve(last(given)),
})

export const boardSlug: Arg<string> = {
  arity: 'one',
  describe: 'the board',
  completes: 'board',
  read: (given) => readSlug(last(given)),
}

export const boardSlugOrCurrent: Arg<string | undefined> = {
  ...boardSlug,
  arity: 'optional',
  describe: 'the board; without it the current one',
  read: (given) => (given[0] === undefined ? undefined : readSlug(given[0])),
}

function readSlug(typed: string): string {
  const slug = typed.trim().toLowerCase()
  if (!isSlug(slug)) throw badValue('use 1-64 of a-z, 0-9, _ and -, beginning with a letter or digit')
  return slug
}

export const cardId: Arg<string> = {
  arity: 'one',
  describe: 'the card, or the beginning of its id',
  completes: 'card',
  field: 'task',
  read: last,
}

export const agentNamed: Arg<string> = {
  arity: 'one',
  describe: 'the agent',
  completes: 'agent',
  read: (given) => agentName(last(given)),
}

export const skillNamed: Arg<string> = {
  arity: 'one',
  describe: 'the skill',
  completes: 'skill',
  read: (given) => last(given).trim(),
}

/** One at a time: what no name can be is said at once, before it is looked for. */
export const skill = (describe?: string): Flag<string> => ({
  ...valued('<name>', describe, (typed) => {
    const name = typed.trim()
    if (name === '') throw badValue('name a skill')
    if (/[\s,]/.test(name)) throw badValue('name one skill each time, as in --skill reading --skill style')
    return name
  }),
  completes: 'skill',
})

/** Several of them, or the one word `none` for no skills at all. */
export const skills = (describe?: string): Flag<readonly string[]> => {
  const flag = each(skill(describe))
  const isNone = (name: string): boolean => name.trim().toLowerCase() === 'none'
  const read: typeof flag.read = (given, world) => {
    if (!given.some(isNone)) return flag.read(given, world)
    if (given.every(isNone)) return []
    throw badValue('none stands alone: it says that there are no skills at all')
  }
  return { ...flag, read }
}

export const agentWord: Arg<string | null> = {
  arity: 'one',
  describe: 'an agent; none: nobody',
  completes: 'agent',
  read: (given) => nameOrNone(last(given)),
}

export const cardIds: Arg<readonly string[]> = {
  arity: 'many',
  describe: 'the cards, or the beginnings of their ids',
  completes: 'card',
  field: 'task',
  read: (given) => {
    if (given.length === 0) throw badValue('name at least one card')
    return given
  },
}

export interface IdsAndReason {
  readonly ids: readonly string[]
  readonly reason: string | null
}

/** `t_4k2… t_8x1… waiting for the key`: ids as long as the words look like ids, and after them the reason. */
export const idsThenReason: Arg<IdsAndReason> = {
  arity: 'many',
  describe: 'the cards, then the reason in words',
  completes: 'card',
  field: 'task',
  read: (given) => {
    const end = given.findIndex((typed) => !/^t_[0-9a-z]+$/i.test(typed.trim()))
    const ids = end === -1 ? given : given.slice(0, end)
    if (ids.length === 0) throw badValue('name at least one card (t_…), then say why')
    return { ids, reason: end === -1 ? null : given.slice(end).join(' ') }
  },
}
