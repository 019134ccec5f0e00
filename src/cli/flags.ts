/** The kinds of arguments and flags. Each kind parses its value, and has a message for values that are not valid. */
import { resolve } from 'node:path'
import { parseDuration } from '../core/duration.ts'
import { parseMoment } from '../config/moment.ts'
import type { CardField } from '../core/card-field.ts'
import { BoardError } from '../core/errors.ts'
import type { Json } from '../core/input/fields.ts'
import { isSlug } from '../core/ids.ts'
import { readText } from './read-text.ts'
import type { Arg, Flag } from './command.ts'

/** Makes the error for a value that is not valid. The parser adds the name of the flag or argument at the beginning. */
export const badValue = (message: string): BoardError => new BoardError('invalid_input', message)

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

/** Hides a flag from help. Only old names that existing scripts still use are hidden. */
export const hidden = <T>(flag: Flag<T>): Flag<T> => ({ ...flag, hidden: true })

export const text = (value = '<text>', describe?: string): Flag<string> => valued(value, describe, (typed) => typed)

/** A flag with one line of text, which must not be empty. */
export const line = (value = '<text>', describe?: string): Flag<string> =>
  valued(value, describe, (typed) => {
    if (typed.trim() === '') throw badValue('the text is empty')
    return typed.trim()
  })

/** A flag with a longer text. The text is on the command line, on standard input (`-`) or in a file (`@path`). */
export const longText = (describe?: string): Flag<string> => ({
  ...valued('<text>', describe, (typed, world) => readText(world, typed)),
  completes: 'atFile',
})

const choicesText = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? `the only choice is ${first}` : `use one of ${[first, ...others].join(', ')}`

export const choice = <const T extends string>(values: readonly T[], describe?: string): Flag<T> => ({
  ...valued('<value>', describe, (typed) => {
    const found = values.find((value) => value === typed.trim().toLowerCase())
    if (found === undefined) throw badValue(choicesText(values))
    return found
  }),
  choices: values,
})

export const whole = ({ min, max }: { min?: number; max?: number } = {}, describe?: string): Flag<number> =>
  valued('<n>', describe, (typed) => {
    const value = Number(typed)
    const isWhole = typed.trim() !== '' && Number.isSafeInteger(value)
    if (isWhole && value >= (min ?? value) && value <= (max ?? value)) return value
    if (max !== undefined) throw badValue(`use a whole number from ${min ?? 0} to ${max}`)
    throw badValue(min === undefined ? 'use a whole number' : `use a whole number, ${min} or more`)
  })

export const duration = (describe?: string): Flag<number> =>
  valued('<time>', describe, (typed) => {
    const ms = parseDuration(typed)
    if (ms === null) throw badValue('use a duration such as 90 (seconds), 90s, 30m, 2h or 1d')
    return ms
  })

export const moment = (describe?: string): Flag<number> =>
  valued('<when>', describe, (typed, { now }) => {
    const at = parseMoment(typed, now())
    if (at === null) throw badValue('use a time such as 2026-11-30, 2026-11-30T09:00, 09:00, tomorrow or +2h')
    return at
  })

/** A flag with a time in the future. */
export const laterMoment = (describe?: string): Flag<number> => {
  const flag = moment(describe)
  const read: Flag<number>['read'] = async (given, world) => {
    const at = await flag.read(given, world)
    if (at <= world.now()) throw badValue(`${last(given).trim()} is in the past`)
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
      // The text is not valid JSON. The error is the same as for a value that is not an object.
    }
    throw badValue('use a JSON object, such as {"tests": 12}')
  })

/** A flag with an agent. Names are compared in lower case. `none`, `-` and `null` mean no agent. */
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
  if (typed.trim() === '') throw badValue('give the name of an agent')
  return typed.trim().toLowerCase()
}

const nameOrNone = (typed: string): string | null => (/^(none|-|null)$/i.test(typed.trim()) ? null : agentName(typed))

/** A flag with a file. Its path may be relative to the current folder. */
export const file = (describe?: string): Flag<string> => ({
  ...valued('<file>', describe, (typed) => resolve(typed)),
  completes: 'file',
})

/** A flag with a folder. Its path may be relative to the current folder. */
export const folder = (describe?: string): Flag<string> => ({ ...file(describe), value: '<folder>' })

/** Makes a flag repeatable. */
export const each = <T>(flag: Flag<T>): Flag<readonly T[]> => ({
  ...flag,
  repeatable: true,
  read: (given, world) => Promise.all(given.map((typed) => flag.read([typed], world))),
})

/** Gives a flag or an argument a shorter text for help. */
export const withBrief = <T extends Arg<unknown> | Flag<unknown>>(brief: string, flag: T): T => ({ ...flag, brief })

/** Makes `none` clear the value of a flag. */
export const orNone = <T>(flag: Flag<T>): Flag<T | null> => ({
  ...flag,
  read: (given, world) => (last(given).trim().toLowerCase() === 'none' ? null : flag.read(given, world)),
})

/** Makes `none` alone clear the list of a repeatable flag. */
export const listOrNone = <T>(flag: Flag<T>): Flag<T | readonly never[]> => ({
  ...flag,
  read: (given, world) =>
    given.length === 1 && given[0]?.trim().toLowerCase() === 'none' ? [] : flag.read(given, world),
})

/** Makes a flag fill a field that has another name: `--hold` fills `held`. */
export const filling = <T>(field: string, flag: Flag<T>): Flag<T> => ({ ...flag, field })

export const argument = (describe?: string): Arg<string> => ({ arity: 'one', describe, read: last })

export const optionalArgument = (describe?: string): Arg<string | undefined> => ({
  arity: 'optional',
  describe,
  read: (given) => given[0],
})

/** The remaining arguments, joined to one text. */
export const joinedArguments = (describe?: string): Arg<string | undefined> => ({
  arity: 'many',
  describe,
  read: (given) => (given.length === 0 ? undefined : given.join(' ')),
})

/** The remaining arguments, as a list. */
export const argumentList = (describe?: string): Arg<readonly string[]> => ({
  arity: 'any',
  describe,
  read: (given) => given,
})

/** An argument with one of a few values. */
export const choiceArgument = <const T extends string>(choices: readonly T[], describe?: string): Arg<T> => ({
  arity: 'one',
  describe,
  choices,
  read: (given) => {
    const found = choices.find((value) => value === last(given).trim().toLowerCase())
    if (found === undefined) throw badValue(choicesText(choices))
    return found
  },
})

export const fileArgument = (describe?: string): Arg<string> => ({
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
  describe: 'the board (default: the current one)',
  read: (given) => (given[0] === undefined ? undefined : readSlug(given[0])),
}

function readSlug(typed: string): string {
  const slug = typed.trim().toLowerCase()
  if (!isSlug(slug)) throw badValue('use 1-64 characters (a-z, 0-9, _ or -), starting with a letter or digit')
  return slug
}

export const cardId: Arg<string> = {
  arity: 'one',
  describe: 'the card, or the beginning of its id',
  completes: 'card',
  field: 'task',
  read: last,
}

export const agentArgument: Arg<string> = {
  arity: 'one',
  describe: 'the agent',
  completes: 'agent',
  read: (given) => agentName(last(given)),
}

export const skillArgument: Arg<string> = {
  arity: 'one',
  describe: 'the skill',
  completes: 'skill',
  read: (given) => last(given).trim(),
}

/**
 * A flag whose value `of` converts to its normal form. The value is checked here, because `list` runs without the
 * schema library.
 */
export const spelled = (
  { rule, of }: NonNullable<CardField['words']>,
  value?: string,
  describe?: string,
): Flag<string> =>
  valued(value ?? '<text>', describe, (typed) => {
    const spelling = of(typed)
    if (spelling === null) throw badValue(`${rule}; repeat the flag to give several`)
    return spelling
  })

/** A flag with one skill. A list of names is refused before the skill is searched. */
export const skill = (describe?: string): Flag<string> => ({
  ...valued('<name>', describe, (typed) => {
    const name = typed.trim()
    if (name === '') throw badValue('give the name of a skill')
    if (/[\s,]/.test(name)) throw badValue('give one skill per flag, as in --skill reading --skill style')
    return name
  }),
  completes: 'skill',
})

/** A flag with several skills. `none` alone means no skills. */
export const skills = (describe?: string): Flag<readonly string[]> => {
  const flag = each(skill(describe))
  const isNone = (name: string): boolean => name.trim().toLowerCase() === 'none'
  const read: typeof flag.read = (given, world) => {
    if (!given.some(isNone)) return flag.read(given, world)
    if (given.every(isNone)) return []
    throw badValue('use none alone: it removes all skills')
  }
  return { ...flag, read }
}

export const agentOrNoneArgument: Arg<string | null> = {
  arity: 'one',
  describe: 'an agent, or none to unassign the card',
  completes: 'agent',
  read: (given) => nameOrNone(last(given)),
}

export const cardIds: Arg<readonly string[]> = {
  arity: 'many',
  describe: 'the cards, or the beginnings of their ids',
  completes: 'card',
  field: 'task',
  read: (given) => {
    if (given.length === 0) throw badValue('give at least one card')
    return given
  },
}

export interface IdsAndReason {
  readonly ids: readonly string[]
  readonly reason: string | null
}

/** Ids and a reason, such as `t_4k2… t_8x1… waiting for the key`. The ids come first. */
export const idsThenReason: Arg<IdsAndReason> = {
  arity: 'many',
  describe: 'card ids, then the reason',
  completes: 'card',
  field: 'task',
  read: (given) => {
    const end = given.findIndex((typed) => !/^t_[0-9a-z]+$/i.test(typed.trim()))
    const ids = end === -1 ? given : given.slice(0, end)
    if (ids.length === 0) throw badValue('give at least one card (t_…), then the reason')
    return { ids, reason: end === -1 ? null : given.slice(end).join(' ') }
  },
}
