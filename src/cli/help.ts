/** Builds help from the manifest, with examples first. The help of a command fits a terminal of 80 × 24. */
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

/** The first words of commands, each once: `boards create` and `boards list` are both under `boards`. */
export const firstWords = (entries: readonly CommandEntry[]): string[] => [
  ...new Set(entries.map(({ name }) => name.split(' ')[0] ?? '')),
]

/** Every command on one line, in groups. */
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
  service: 'Run Muster in the background, also after a restart',
  skills: 'List the skills that cards can use',
}

/** The brief text of a command or a family; the default is the first clause of its summary, without the full stop. */
function briefOf(manifest: readonly CommandEntry[], name: string): string {
  const entry = manifest.find((one) => one.name === name)
  return entry?.brief ?? FAMILIES[name] ?? (entry?.summary ?? '').replace(/(?:[;.] .*|\.)$/s, '')
}

const FIRST_COMMANDS: readonly HelpRow[] = [
  ['muster up', 'run agents on ready cards until you press Ctrl-C'],
  ['muster list', 'list cards and their status'],
  ['muster why t_4k2', 'explain why a card is not running, and what to do'],
]

/** Help for the commands that start with the same word, and for that word alone if it is a command too. */
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

/** Like `membersOf`, but includes the first word itself if it is a command. */
const familyOf = (manifest: readonly CommandEntry[], family: string): CommandEntry[] => [
  ...manifest.filter(({ name }) => name === family),
  ...membersOf(manifest, family),
]

export function commandHelp(entry: CommandEntry, width = HELP_WIDTH): string {
  const rows = [...entry.args.map(argRow), ...entry.flags.filter(({ hidden }) => hidden !== true).map(flagRow)]
  const examples = entry.examples.flatMap((example) => foldCommand(example, width))
  const head = [...folded(usage(entry), width), ...folded(entry.summary, width), '', ...examples]
  const foot = `Also --board <slug>, --json and --quiet${entry.aliases.length === 0 ? '' : `; alias ${entry.aliases.join(', ')}`}.`
  const table = layTable(rows, { width, lines: HELP_LINES - head.length - 3 })
  return text([...head, ...(table.length === 0 ? [] : ['', ...table]), '', ...folded(foot, width)])
}

export function usage({ name, args, flags }: CommandEntry, { flags: shown } = { flags: true }): string {
  const placeholders = args.map(({ name: arg, arity }) => ARGUMENT_PLACEHOLDERS[arity](arg))
  return ['muster', name, ...placeholders, ...(shown && flags.length > 0 ? ['[flags]'] : [])].join(' ')
}

/** Help for one command, for all commands that start with a word, or, without words, for the program. */
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

/** The text for help, with the choices if they fit. */
const meaning = ({ describe, brief, choices = [] }: ArgEntry | FlagEntry): string =>
  brief ??
  (choices.length === 0 || describe.length + choices.join(' ').length > 48
    ? describe
    : `${describe} (${choices.join(', ')})`)
