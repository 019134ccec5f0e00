/** The flags that every command accepts, and the short flags. A letter has the same meaning in every command. */
import { BoardError } from '../core/errors.ts'
import type { FlagEntry } from './manifest-entry.ts'

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const
export type ColorChoice = (typeof COLOR_CHOICES)[number]

export const COMMON_FLAGS: readonly FlagEntry[] = [
  { name: 'board', value: '<slug>', repeatable: false, describe: 'use this board', completes: 'board' },
  { name: 'url', value: '<url>', repeatable: false, describe: 'use the board of this server (see MUSTER_API_TOKEN)' },
  {
    name: 'json',
    value: null,
    acceptsValue: true,
    repeatable: false,
    describe: 'print one JSON value; --json=id,status prints only these fields',
  },
  { name: 'iso', value: null, repeatable: false, describe: 'print JSON, with times as ISO 8601 text' },
  { name: 'quiet', value: null, repeatable: false, describe: 'print only ids, one per line' },
  {
    name: 'color',
    value: '<when>',
    repeatable: false,
    describe: 'use colours: auto, always or never',
    choices: COLOR_CHOICES,
  },
  { name: 'help', value: null, repeatable: false, describe: 'show help' },
]

export interface Letter {
  readonly letter: string
  /** The flags for which the letter stands. No command has two of these flags. */
  readonly flags: readonly string[]
  readonly describe: string
}

export const LETTERS: readonly Letter[] = [
  { letter: 'a', flags: ['assignee'], describe: 'the agent of a card' },
  { letter: 'b', flags: ['board'], describe: 'the board' },
  {
    letter: 'f',
    flags: ['force', 'follow'],
    describe: 'force the action; for `log`, follow the output',
  },
  { letter: 'h', flags: ['help'], describe: 'show help' },
  { letter: 'm', flags: ['reason'], describe: 'the reason' },
  { letter: 'n', flags: ['limit', 'tail', 'max'], describe: 'the maximum number' },
  { letter: 'o', flags: ['to'], describe: 'where to write the result' },
  { letter: 'q', flags: ['quiet'], describe: 'print only ids, one per line' },
  { letter: 'y', flags: ['yes'], describe: 'do not ask for confirmation' },
]

/** The flag for which a letter stands, among the flags of a command. */
export const flagOfLetter = (letter: string, isFlag: (name: string) => boolean): string | undefined =>
  LETTERS.find((one) => one.letter === letter)?.flags.find(isFlag)

/** The letter of a flag, such as `a` for `--assignee`. Undefined if the flag has no letter. */
export const letterOf = (flag: string): string | undefined => LETTERS.find(({ flags }) => flags.includes(flag))?.letter

/** The form in which a command prints its output. */
export interface OutputChoice {
  readonly json: boolean
  /** The fields of the JSON value to print. Null means all fields. */
  readonly fields: readonly string[] | null
  readonly iso: boolean
  readonly quiet: boolean
  readonly color: ColorChoice
}

export interface CommonValues extends OutputChoice {
  readonly board?: string
  readonly url?: string
  readonly help: boolean
}

export function commonValues(flags: ReadonlyMap<string, readonly string[]>): CommonValues {
  const [board, url] = [flags.get('board')?.at(-1), flags.get('url')?.at(-1)]
  return {
    ...(board === undefined ? {} : { board }),
    ...(url === undefined ? {} : { url }),
    json: flags.has('json') || flags.has('iso'),
    fields: readFields(flags.get('json')?.at(-1) ?? ''),
    iso: flags.has('iso'),
    quiet: flags.has('quiet'),
    color: readColor(flags.get('color')?.at(-1) ?? 'auto'),
    help: flags.has('help'),
  }
}

function readFields(typed: string): readonly string[] | null {
  const names = typed.split(',').map((name) => name.trim())
  return typed.trim() === '' ? null : names.filter((name) => name !== '')
}

function readColor(typed: string): ColorChoice {
  const found = COLOR_CHOICES.find((choice) => choice === typed.trim().toLowerCase())
  if (found !== undefined) return found
  throw new BoardError('invalid_input', `--color: use one of ${COLOR_CHOICES.join(', ')}.`, {
    details: { usage: 'bad_value' },
  })
}
