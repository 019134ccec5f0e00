/** Help, made from the manifest: examples first, and never more than a small terminal shows. */
import type { ArgEntry, FlagEntry, VerbEntry } from './manifest-entry.ts'
import { GROUPS } from './verb.ts'
import type { Group } from './verb.ts'

export const HELP_WIDTH = 80

const CHAPTERS: Readonly<Record<Group, string>> = {
  start: 'Start',
  cards: 'Cards',
  look: 'Look',
  steer: 'Steer',
  work: 'Work',
  keep: 'Keep',
  more: 'More',
}

export function programHelp(manifest: readonly VerbEntry[]): string {
  const chapters = GROUPS.flatMap((group) => {
    const names = [
      ...new Set(manifest.filter((entry) => entry.group === group).map(({ name }) => name.split(' ')[0] ?? '')),
    ]
    return names.length === 0 ? [] : wrapped(`  ${CHAPTERS[group].padEnd(8)}`, names)
  })
  return `${[
    'muster: a board of tasks that coding agents work through',
    '',
    '  muster create "Fix the login" --assignee shell --body "npm test"',
    '  muster up                      start what is ready, until you press Ctrl-C',
    '  muster list                    what there is, and how it stands',
    '  muster why t_4k2               why a card is not running, and what clears it',
    '',
    ...chapters,
    '',
    'Every verb takes --json (one JSON value) and --board <slug>.',
    'muster help <verb> shows how each is used.',
  ].join('\n')}\n`
}

/** Words after a label, as many on a line as fit, the next lines under the first word. */
function wrapped(label: string, words: readonly string[]): string[] {
  const lines: string[] = []
  let line = label
  for (const word of words) {
    if (line.length + 1 + word.length > HELP_WIDTH) {
      lines.push(line)
      line = ' '.repeat(label.length)
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

export function verbHelp(entry: VerbEntry): string {
  const rows = [...entry.args.map(argRow), ...entry.flags.map(flagRow)]
  const head = [usage(entry), entry.summary, '', ...entry.examples.map((example) => `  ${example}`)]
  const foot = `Also --json and --board <slug>${entry.aliases.length === 0 ? '' : `; also called ${entry.aliases.join(', ')}`}.`
  const room = 24 - head.length - 3
  const table = rows.length <= room ? oneColumn(rows) : twoColumns(rows)
  return `${[...head, ...(table.length === 0 ? [] : ['', ...table]), '', foot].join('\n')}\n`
}

export function usage({ name, args, flags }: VerbEntry): string {
  const words = args.map(({ name: arg, arity }) =>
    arity === 'one' ? `<${arg}>` : arity === 'optional' ? `[${arg}]` : `<${arg}...>`,
  )
  return ['muster', name, ...words, ...(flags.length === 0 ? [] : ['[flags]'])].join(' ')
}

type Row = readonly [left: string, right: string]

const argRow = ({ name, describe }: ArgEntry): Row => [`<${name}>`, describe]

const flagRow = ({ name, value, describe, choices, repeatable }: FlagEntry): Row => [
  `--${name}${value === null ? '' : ` ${value}`}${repeatable ? '…' : ''}`,
  choices === undefined || describe.length + choices.join(' ').length > 48
    ? describe
    : `${describe} (${choices.join(', ')})`,
]

function oneColumn(rows: readonly Row[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length), 0) + 2
  return rows.map(([name, describe]) => `  ${name.padEnd(left)}${describe}`)
}

/** Pairs of rows side by side, filled downwards. */
function twoColumns(rows: readonly Row[]): string[] {
  const half = Math.ceil(rows.length / 2)
  const columns = [rows.slice(0, half), rows.slice(half)].map(oneColumn)
  const width = Math.max(...(columns[0] ?? []).map((line) => line.length))
  return (columns[0] ?? []).map((line, at) => `${line.padEnd(width)}${columns[1]?.[at] ?? ''}`.trimEnd())
}
