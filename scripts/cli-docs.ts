/**
 * npm run docs: writes the reference of the command line into docs/reference/cli/README.md, below its marker, from the manifest. With
 * --check it only says whether that is what is there.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CHAPTERS, usage } from '../src/cli/help.ts'
import { MANIFEST } from '../src/cli/manifest.ts'
import { GROUPS } from '../src/cli/manifest-entry.ts'
import type { ArgEntry, FlagEntry, CommandEntry } from '../src/cli/manifest-entry.ts'
import { settingText } from '../src/cli/render/board.ts'
import { DEFAULT_SETTINGS, boardSettingsSchema } from '../src/core/board.ts'

const target = fileURLToPath(new URL('../docs/reference/cli/README.md', import.meta.url))
const MARKER = '<!-- Everything below is made by `npm run docs`. -->'

/** A cell of a table: what Markdown would read is shown as it is. */
const cell = (text: string): string => text.replace(/[|<>*_]/g, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`))

/** With its choices, unless it names them itself. */
const meaning = ({ describe, choices = [] }: ArgEntry | FlagEntry): string =>
  choices.every((choice) => describe.includes(choice))
    ? cell(describe)
    : `${cell(describe)}: ${choices.map((choice) => `\`${choice}\``).join(', ')}`

const flagName = ({ name, value, repeatable }: FlagEntry): string =>
  `\`--${name}${value === null ? '' : ` ${value}`}\`${repeatable ? ' (repeatable)' : ''}`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return rows.length === 0 ? [] : ['', line(head), line(head.map(() => '---')), ...rows.map(line)]
}

function commandPart(entry: CommandEntry): string[] {
  const rows = [
    ...entry.args.map((arg) => [`\`<${arg.name}>\``, meaning(arg)]),
    ...entry.flags.map((flag) => [flagName(flag), meaning(flag)]),
  ]
  const others = entry.aliases.map((alias) => `\`muster ${alias}\``).join(', ')
  return [
    '',
    `### ${entry.name}`,
    '',
    `\`${usage(entry)}\``,
    '',
    `${entry.summary}${others === '' ? '' : ` Also ${others}.`}`,
    '',
    '```sh',
    ...entry.examples,
    '```',
    ...table(['', ''], rows),
    ...(entry.name === 'boards set' ? settingsPart() : []),
  ]
}

/** What a board can be told: the schema is where it is said. */
function settingsPart(): string[] {
  const rows = Object.entries(boardSettingsSchema.shape).map(([key, field]) => [
    `\`${key}\``,
    `\`${settingText(key, DEFAULT_SETTINGS[key as keyof typeof DEFAULT_SETTINGS])}\``,
    cell(field.description ?? ''),
  ])
  return ['', 'The settings; times are written `90s`, `30m`, `2h` or `1d`:', ...table(['', 'default', ''], rows)]
}

const reference = GROUPS.flatMap((group) => {
  const commands = MANIFEST.filter((entry) => entry.group === group)
  return commands.length === 0 ? [] : ['', `## ${CHAPTERS[group]}`, ...commands.flatMap(commandPart)]
})

const before = readFileSync(target, 'utf8')
const [written = '', made] = before.split(MARKER)
if (made === undefined) throw new Error(`docs/reference/cli/README.md has lost its line ${MARKER}`)
const text = `${written}${MARKER}\n${reference.join('\n')}\n`
if (process.argv.includes('--check')) {
  if (text !== before) {
    console.error('docs/reference/cli/README.md is not current: run npm run docs.')
    process.exitCode = 1
  }
} else if (text !== before) {
  writeFileSync(target, text)
}
