/** Formats a remedy as a command line, with the arguments and flags of the real command. */
import type { InboxRemedy } from '../../core/inbox.ts'
import type { NextStep } from '../../core/reasons/next-steps.ts'
import { MANIFEST } from '../manifest.ts'
import { PLACEHOLDER } from '../parse.ts'
import type { ArgEntry, FlagEntry, CommandEntry } from '../manifest-entry.ts'
import { shellWord } from '../../util/shell-word.ts'

/** A command that clears a reason, resolves an item of the inbox, or is a next step. */
type Step = InboxRemedy | NextStep

/** The operations that are not a command of their own on the command line, but a flag of another command. */
const FLAG_OF: Partial<Record<Step['operation'], { readonly command: string; readonly flag: string }>> = {
  'approve-commands': { command: 'approve', flag: '--commands' },
}

/** The command line, such as `muster promote t_4k2m9x4vda --force`. */
export function remedyLine(remedy: Step): string {
  const { command, flag } = FLAG_OF[remedy.operation] ?? { command: remedy.operation, flag: null }
  const args = argumentsFor(remedy, entryOf(command))
  return ['muster', command, ...args, ...(flag === null ? [] : [flag])].join(' ')
}

function entryOf(command: string): CommandEntry {
  const entry = MANIFEST.find(({ name }) => name === command)
  if (entry === undefined) throw new Error(`unknown command ${command}`)
  return entry
}

function argumentsFor({ input, asks }: Step, { args, flags }: CommandEntry): readonly string[] {
  const given: readonly [string, string | boolean | null][] = [
    ...Object.entries(input),
    ...asks.map((field): [string, null] => [field, null]),
  ]
  const placed = given.map(([field, value]) => place(field, value, { args, flags }))
  return placed.toSorted((a, b) => a.at - b.at).flatMap(({ parts }) => parts)
}

/**
 * Returns the text of one value and its position. Arguments come first, in the order of the command. Flags come after
 * the arguments.
 */
function place(
  field: string,
  value: string | boolean | null,
  { args, flags }: Pick<CommandEntry, 'args' | 'flags'>,
): { readonly at: number; readonly parts: readonly string[] } {
  const at = args.findIndex((arg) => fills(arg, field))
  const arg = args[at]
  if (arg !== undefined) return { at, parts: [written(value)] }
  const flag = flags.find(({ name }) => camel(name) === field) ?? flags.find((one) => fills(one, field))
  if (flag === undefined) throw new Error(`no argument or flag takes ${field}`)
  const name = `--${flag.name}`
  return { at: args.length, parts: value === true ? [name] : [name, written(value)] }
}

const fills = ({ name, field }: ArgEntry | FlagEntry, wanted: string): boolean => (field ?? camel(name)) === wanted

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Formats a value, with quotation marks for a shell if needed. A value that the person must choose becomes a
 * placeholder.
 */
const written = (value: string | boolean | null): string => shellWord(value === null ? PLACEHOLDER : String(value))
