/** The pages of docs/reference/cli, one for each command, and their index. */
import { COMMON_FLAGS, LETTERS, letterOf } from '../../src/cli/common-flags.ts'
import { CHAPTERS, usage } from '../../src/cli/help.ts'
import { GROUPS } from '../../src/cli/manifest-entry.ts'
import type { ArgEntry, CommandEntry, FlagEntry } from '../../src/cli/manifest-entry.ts'
import { MANIFEST } from '../../src/cli/manifest.ts'
import { cell, code, table } from './markdown.ts'

const fileOf = ({ name }: CommandEntry): string => `${name.replaceAll(' ', '-')}.md`

export const commandPages = (): ReadonlyMap<string, string> =>
  new Map(MANIFEST.map((entry) => [fileOf(entry), `${pageOf(entry).join('\n')}\n`]))

export const commandIndex = (): string[] =>
  GROUPS.flatMap((group) => {
    const rows = MANIFEST.filter((entry) => entry.group === group).map((entry) => [
      `[\`muster ${entry.name}\`](${fileOf(entry)})`,
      cell(entry.summary),
    ])
    return rows.length === 0 ? [] : ['', `## ${CHAPTERS[group]}`, ...table(['Command', 'Description'], rows)]
  })

function pageOf(entry: CommandEntry): string[] {
  const { name, summary, examples, args, flags, aliases } = entry
  const also = aliases.map((alias) => `\`muster ${alias}\``).join(', ')
  return [
    '<!-- Written by `npm run docs`. -->',
    '',
    `# muster ${name}`,
    '',
    summary,
    '',
    '```',
    usage(entry),
    '```',
    ...(also === '' ? [] : ['', `Also: ${also}`]),
    '',
    '## Examples',
    '',
    '```sh',
    ...examples,
    '```',
    ...section(
      'Arguments',
      ['Argument', 'Meaning'],
      args.map((arg) => [code(`<${arg.name}>`), meaning(arg)]),
    ),
    ...section(
      'Flags',
      ['Flag', 'Meaning'],
      flags.filter(({ hidden }) => hidden !== true).map((flag) => [flagName(flag), meaning(flag)]),
    ),
    ...(name === 'boards set' ? ['', '[Board settings](../board-settings.md) lists every setting.'] : []),
    '',
    'Flags of every command and exit codes: [the command line](README.md).',
  ]
}

const section = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : ['', `## ${title}`, ...table(head, rows)]

/** Adds the choices, unless the description names them. */
const meaning = ({ describe, choices = [] }: ArgEntry | FlagEntry): string =>
  choices.every((choice) => describe.includes(choice))
    ? cell(describe)
    : `${cell(describe)}: ${choices.map((choice) => code(choice)).join(', ')}`

const flagName = ({ name, value, repeatable }: FlagEntry): string => {
  const letter = letterOf(name)
  const short = letter === undefined ? '' : `${code(`-${letter}`)}, `
  return `${short}${code(`--${name}${value === null ? '' : ` ${value}`}`)}${repeatable ? ' (repeatable)' : ''}`
}

/** The flags that every command takes. */
export const commonFlagTable = (): string[] =>
  table(
    ['Flag', 'Meaning'],
    COMMON_FLAGS.map((flag) => [flagName(flag), cell(flag.describe)]),
  )

export const letterTable = (): string[] =>
  table(
    ['Letter', 'Flag', 'Meaning'],
    LETTERS.map(({ letter, flags, describe }) => [
      code(`-${letter}`),
      flags.map((flag) => code(`--${flag}`)).join(', '),
      cell(describe),
    ]),
  )

export const aliasTable = (): string[] =>
  table(
    ['Alias', 'Command'],
    MANIFEST.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name] as const))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([alias, name]) => [code(alias), code(name)]),
  )
