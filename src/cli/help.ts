/** Builds help from the manifest. Examples come first. The help of a command fits into a terminal of 80 × 24. */
import { unknownCommand, commandNamed } from './find-command.ts'
import { letterOf } from './common-flags.ts'
import { foldCommand, HELP_WIDTH, layTable, wrapWords } from './help-table.ts'
import type { HelpRow } from './help-table.ts'
import { GROUPS } from './manifest-entry.ts'
import type { ArgEntry, FlagEntry, CommandGroup, CommandEntry } from './manifest-entry.ts'
import type { CommandOutput } from './command.ts'

const HELP_LINES = 24

export const CHAPTERS: Readonly<Record<CommandGroup, string>> = {
  start: 'Get started',
  cards: 'Cards',
  look: 'View',
  steer: 'Change status',
  work: 'Runs and work',
  keep: 'Maintenance',
  more: 'More',
}

/**
 * The first words of all commands, without duplicates. For example, `boards create` and `boards list` both start with
 * `boards`.
 */
export const firstWords = (entries: readonly CommandEntry[]): string[] => [
  ...new Set(entries.map(({ name }) => name.split(' ')[0] ?? '')),
]

/** Builds the help that lists every command on one line, in groups. */
export function programHelp(manifest: readonly CommandEntry[], width = HELP_WIDTH): string {
  const names = firstWords(manifest)
  const left = Math.max(...names.map((name) => name.length)) + 4
  const chapters = GROUPS.flatMap((group) => {
    const members = firstWords(manifest.filter((entry) => entry.group === group))
    const lines = members.flatMap((name) =>
      wrapWords(`  ${name}`.padEnd(left), briefOf(manifest, name).split(' '), width),
    )
    return members.length === 0 ? [] : ['', CHAPTERS[group], ...lines]
  })
  return text([
    ...folded('muster: a kanban board that runs AI agents', width),
    '',
    ...foldCommand('muster create "Fix the login" --assignee shell --body "npm test"', width),
    ...layTable(FIRST_COMMANDS, { width, lines: Infinity }),
    ...chapters,
    '',
    ...folded('Every command takes --board <slug>, --json, --quiet and --help.', width),
    ...folded('For details: muster help <command>', width),
  ])
}

const FAMILIES: Readonly<Record<string, string>> = {
  accounts: 'List, pause and resume the accounts of your agents',
  agents: 'List, add, check and pause agents',
  backup: 'Create, verify and restore backups',
  boards: 'List, create and configure boards',
  recur: 'Create cards again and again, on a schedule',
  service: 'Run Muster in the background, also after a restart',
  skills: 'List the skills that cards can use',
  templates: 'List, show and approve templates of card graphs',
  tokens: 'Create, list and revoke the tokens of programs',
  views: 'List, save and delete the saved views of the board',
}

/** The brief text of a command or of a group of commands. The default is the first part of its summary. */
function briefOf(manifest: readonly CommandEntry[], name: string): string {
  const entry = manifest.find((one) => one.name === name)
  return entry?.brief ?? FAMILIES[name] ?? (entry?.summary ?? '').replace(/(?:[;.] .*|\.)$/s, '')
}

const FIRST_COMMANDS: readonly HelpRow[] = [
  ['muster up', 'run agents on ready cards until you press Ctrl-C'],
  ['muster list', 'list cards and their status'],
  ['muster why t_4k2', 'explain why a card is not running, and what to do'],
]

/**
 * Builds the help for the commands that start with the same word. If this word alone is a command, the help includes
 * it.
 */
export function familyHelp(manifest: readonly CommandEntry[], family: string, width = HELP_WIDTH): string {
  const members = familyOf(manifest, family)
  const rows = members.map((entry): HelpRow => [usage(entry, { flags: false }).slice('muster '.length), entry.summary])
  const alone = commandNamed(members, family)
  const flags = (alone?.flags ?? []).filter(({ hidden }) => hidden !== true).map(flagRow)
  const flagLines = layTable(flags, { width, lines: Infinity })
  const ownHelp = flags.length === 0 ? [] : ['', `Flags of muster ${family}:`, ...flagLines]
  return text([
    ...(flags.length === 0 ? [] : [`muster ${family} [flags]`]),
    `muster ${family} <command>`,
    '',
    ...layTable(rows, { width, lines: HELP_LINES - 5 - ownHelp.length }),
    ...ownHelp,
    '',
    ...(alone === null || alone.name === family
      ? []
      : folded(`muster ${family} is short for muster ${alone.name}.`, width)),
    ...folded(`For details: muster help ${family} <command>`, width),
  ])
}

/** The two-word commands that start with this word. */
export const membersOf = (manifest: readonly CommandEntry[], family: string): CommandEntry[] =>
  manifest.filter(({ name }) => name.startsWith(`${family} `))

/** Like `membersOf`, but includes the word alone if it is a command. */
const familyOf = (manifest: readonly CommandEntry[], family: string): CommandEntry[] => [
  ...manifest.filter(({ name }) => name === family),
  ...membersOf(manifest, family),
]

export function commandHelp(entry: CommandEntry, width = HELP_WIDTH): string {
  const rows = [...entry.args.map(argRow), ...entry.flags.filter(({ hidden }) => hidden !== true).map(flagRow)]
  const examples = entry.examples.flatMap((example) => foldCommand(example, width))
  const about = [...folded(usage(entry), width), ...folded(entry.summary, width)]
  const tableBelow = (head: readonly string[]): string[] =>
    layTable(rows, { width, lines: HELP_LINES - head.length - 3 })
  const fits = (head: readonly string[]): boolean => tableBelow(head).length <= HELP_LINES - head.length - 3
  // A command with many flags has no blank line before its examples.
  const spaced = [...about, '', ...examples]
  const head = fits(spaced) ? spaced : [...about, ...examples]
  const foot = `Also --board <slug>, --json and --quiet${entry.aliases.length === 0 ? '' : `; alias ${entry.aliases.join(', ')}`}.`
  const table = tableBelow(head)
  return text([...head, ...(table.length === 0 ? [] : ['', ...table]), '', ...folded(foot, width)])
}

export function usage({ name, args, flags }: CommandEntry, { flags: shown } = { flags: true }): string {
  const placeholders = args.map(({ name: arg, arity }) => ARGUMENT_PLACEHOLDERS[arity](arg))
  return ['muster', name, ...placeholders, ...(shown && flags.length > 0 ? ['[flags]'] : [])].join(' ')
}

/**
 * Builds the help for one command, or for all commands that start with a word. Without words, builds the help for the
 * program.
 */
export function helpFor(manifest: readonly CommandEntry[], words: readonly string[], width: number): CommandOutput {
  const [first, second] = words
  if (first === undefined) return { value: manifest.map(described), text: programHelp(manifest, width) }
  const members = membersOf(manifest, first)
  if (second === undefined && members.length > 0)
    return { value: familyOf(manifest, first).map(described), text: familyHelp(manifest, first, width) }
  const entry = commandNamed(manifest, words.join(' ')) ?? (members.length === 0 ? commandNamed(manifest, first) : null)
  if (entry === null) throw unknownCommand(manifest, words)
  return { value: described(entry), text: commandHelp(entry, width) }
}

const described = ({ load: _load, ...entry }: CommandEntry): Omit<CommandEntry, 'load'> => entry

const ARGUMENT_PLACEHOLDERS: Readonly<Record<ArgEntry['arity'], (name: string) => string>> = {
  one: (name) => `<${name}>`,
  optional: (name) => `[${name}]`,
  many: (name) => `<${name}...>`,
  any: (name) => `[${name}...]`,
}

const folded = (sentence: string, width: number): string[] => wrapWords('', sentence.split(' '), width)

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`

const argRow = (entry: ArgEntry): HelpRow => [`<${entry.name}>`, meaning(entry)]

const flagRow = (entry: FlagEntry): HelpRow => [
  `${letterText(entry.name)}--${entry.name}${entry.value === null ? '' : ` ${entry.value}`}${entry.repeatable ? '…' : ''}`,
  meaning(entry),
]

const letterText = (flag: string): string => {
  const letter = letterOf(flag)
  return letter === undefined ? '' : `-${letter}, `
}

/** The text for an argument or flag in help. The choices are added if they fit. */
const meaning = ({ describe, brief, choices = [] }: ArgEntry | FlagEntry): string =>
  brief ??
  (choices.length === 0 || describe.length + choices.join(' ').length > 48
    ? describe
    : `${describe} (${choices.join(', ')})`)
