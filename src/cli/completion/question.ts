/** Finds out what to complete, from the typed words and the manifest. The store is not needed for this. */
import { COMMON_FLAGS, flagOfLetter } from '../common-flags.ts'
import { findCommand, commandNamed, commandPosition } from '../find-command.ts'
import { firstWords, membersOf } from '../help.ts'
import type { ArgEntry, Completes, FlagEntry, CommandEntry } from '../manifest-entry.ts'

export interface WordCompletion {
  readonly value: string
  readonly about?: string
}

export interface CompletionQuestion {
  /** The part of the word that the user has typed. */
  readonly typed: string
  /** The text before the typed part in the same word, such as `--board=`. */
  readonly prefix: string
  /** The candidates that come from the manifest. */
  readonly known: readonly WordCompletion[]
  /** The source of more candidates. */
  readonly source: Completes | null
  /** The board that the line names with --board. */
  readonly board: string | undefined
}

/** Completes the last word, which may be empty. */
export function questionAt(manifest: readonly CommandEntry[], words: readonly string[]): CompletionQuestion {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const blank: CompletionQuestion = { typed, prefix: '', known: [], source: null, board: boardIn(before) }
  const at = commandPosition(before)
  const names = before.slice(at)
  if (['--board', '-b'].includes(before.at(-1) ?? '')) return { ...blank, source: 'board' }
  if (names.length === 0) return { ...blank, known: typed.startsWith('-') ? flagsOf(COMMON_FLAGS) : commands(manifest) }
  if (names.length === 1 && !typed.startsWith('-')) {
    const known = subCommands(manifest, names[0] ?? '')
    if (known.length > 0) return { ...blank, known }
  }
  const { entry, rest } = findCommand(manifest, before)
  return entry === null ? blank : afterCommand(manifest, entry, { ...blank }, rest)
}

/** Completes the word after a command: the value of a flag, a flag, or an argument. */
function afterCommand(
  manifest: readonly CommandEntry[],
  entry: CommandEntry,
  blank: CompletionQuestion,
  rest: readonly string[],
): CompletionQuestion {
  const flags = [...entry.flags, ...COMMON_FLAGS]
  const { args, used, waiting, onlyArguments } = splitTyped(flags, rest)
  const { typed } = blank
  if (waiting !== null) return { ...blank, ...answersFor(waiting) }
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(onlyArguments ? '' : typed) ?? []
  const inline = flags.find((flag) => flag.name === name && flag.value !== null)
  if (inline !== undefined) return { ...blank, typed: value ?? '', prefix: `--${name}=`, ...answersFor(inline) }
  if (typed.startsWith('-') && !onlyArguments)
    return { ...blank, known: flagsOf(flags.filter((flag) => flag.repeatable || !used.has(flag.name))) }
  const arg = argAt(entry, args.length)
  if (arg?.completes !== 'command') return arg === undefined ? blank : { ...blank, ...answersFor(arg) }
  return { ...blank, known: args.length === 0 ? commands(manifest) : subCommands(manifest, args[0] ?? '') }
}

const answersFor = ({
  choices = [],
  completes,
}: ArgEntry | FlagEntry): Pick<CompletionQuestion, 'known' | 'source'> => ({
  known: choices.map((value) => ({ value })),
  source: completes ?? null,
})

function argAt({ args }: CommandEntry, index: number): ArgEntry | undefined {
  const last = args.at(-1)
  return args[index] ?? (last?.arity === 'many' || last?.arity === 'any' ? last : undefined)
}

interface TypedParts {
  readonly args: readonly string[]
  readonly used: ReadonlySet<string>
  /** The flag whose value comes next. */
  readonly waiting: FlagEntry | null
  /** Whether the line has `--`, so that all further words are arguments. */
  readonly onlyArguments: boolean
}

function splitTyped(flags: readonly FlagEntry[], rest: readonly string[]): TypedParts {
  const args: string[] = []
  const used = new Set<string>()
  let waiting: FlagEntry | null = null
  let onlyArguments = false
  for (const token of rest) {
    if (waiting !== null) waiting = null
    else if (onlyArguments || !/^-[^\d]/.test(token)) args.push(token)
    else if (token === '--') onlyArguments = true
    else {
      const flag = flagTyped(flags, token)
      if (flag !== undefined) used.add(flag.name)
      if (flag !== undefined && flag.value !== null && !token.includes('=')) waiting = flag
    }
  }
  return { args, used, waiting, onlyArguments }
}

/**
 * Returns the flag at the end of a word. If short flags are combined, as in `-qn`, only the last one may have a value.
 */
function flagTyped(flags: readonly FlagEntry[], token: string): FlagEntry | undefined {
  const named = (name: string | undefined): FlagEntry | undefined => flags.find((flag) => flag.name === name)
  const [typed = ''] = token.split('=')
  if (typed.startsWith('--')) return named(typed.slice(2))
  return named(flagOfLetter(typed.slice(-1), (name) => named(name) !== undefined))
}

function boardIn(words: readonly string[]): string | undefined {
  const inline = words.findLast((word) => word.startsWith('--board='))
  const at = words.findLastIndex((word) => word === '--board' || word === '-b')
  return inline?.slice('--board='.length) ?? (at === -1 ? undefined : words[at + 1])
}

const flagsOf = (flags: readonly FlagEntry[]): WordCompletion[] =>
  flags.filter(({ hidden }) => hidden !== true).map(({ name, describe }) => ({ value: `--${name}`, about: describe }))

const commands = (manifest: readonly CommandEntry[]): WordCompletion[] =>
  firstWords(manifest).map((name) => ({ value: name, about: commandNamed(manifest, name)?.summary ?? '' }))

const subCommands = (manifest: readonly CommandEntry[], family: string): WordCompletion[] =>
  membersOf(manifest, family).map(({ name, summary }) => ({ value: name.slice(family.length + 1), about: summary }))
