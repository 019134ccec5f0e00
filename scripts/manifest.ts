/**
 * npm run manifest: writes the generated lists of operations, commands and tools, so that a command can be found and
 * described without loading it. With --check it changes nothing and fails if a list is out of date.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { GROUPS } from '../src/cli/manifest-entry.ts'
import type { ArgEntry, FlagEntry, CommandEntry } from '../src/cli/manifest-entry.ts'
import { flagName } from '../src/cli/command.ts'
import type { Arg, Flag, CliCommand } from '../src/cli/command.ts'
import { operationsIndex } from './operations-index.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))
const cli = join(src, 'cli')

type Entry = Omit<CommandEntry, 'load'> & { readonly file: string }
type Fields = ReadonlyMap<string, z.ZodType>

async function readCommand(path: string): Promise<Entry> {
  const file = relative(cli, path)
  const { command } = (await import(path)) as { command?: CliCommand }
  if (command === undefined) throw new Error(`${file} exports no command`)
  const name = command.name ?? command.operation?.name
  if (name === undefined) throw new Error(`${file} has neither a name nor an operation`)
  const fields = await inputFields(command)
  const args = Object.entries(command.args ?? {})
  const flags = Object.entries(command.flags ?? {})
  const summary = command.summary ?? command.operation?.summary
  if (summary === undefined) throw new Error(`${name} has no summary`)
  requireAllFields(name, command, fields)
  return {
    name,
    aliases: command.aliases ?? [],
    group: command.group,
    summary,
    ...(command.brief === undefined ? {} : { brief: command.brief }),
    args: args.map(([key, arg]) => argEntry(name, key, arg, fields)),
    flags: flags.map(([key, flag]) => flagEntry(name, key, flag, fields)),
    examples: command.examples,
    file,
  }
}

async function inputFields({ operation }: CliCommand): Promise<Fields> {
  if (operation === null) return new Map()
  const { input } = await operation.schemas()
  return new Map(input instanceof z.ZodObject ? Object.entries(input.shape) : [])
}

/** Fails if the CLI has no argument or flag for a field of the operation. */
function requireAllFields(name: string, command: CliCommand, fields: Fields): void {
  const offered = new Set([
    ...Object.entries({ ...command.args, ...command.flags }).map(([key, { field }]) => field ?? key),
    ...Object.keys(command.without ?? {}),
  ])
  const forgotten = [...fields.keys()].filter((field) => !offered.has(field))
  if (forgotten.length > 0) throw new Error(`${name} has no argument or flag for ${forgotten.join(', ')}`)
}

function describe(name: string, key: string, { describe: own, field }: Arg<unknown> | Flag<unknown>, fields: Fields) {
  const text = own ?? fields.get(field ?? key)?.description
  if (text === undefined) throw new Error(`${name} has no description of ${key}`)
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Leaves out undefined fields. */
const optional = ({ brief, choices, completes, field }: Arg<unknown> | Flag<unknown>) => ({
  ...(brief === undefined ? {} : { brief }),
  ...(choices === undefined ? {} : { choices }),
  ...(completes === undefined ? {} : { completes }),
  ...(field === undefined ? {} : { field }),
})

const argEntry = (name: string, key: string, arg: Arg<unknown>, fields: Fields): ArgEntry => ({
  name: flagName(key),
  arity: arg.arity,
  describe: describe(name, key, arg, fields),
  ...optional(arg),
})

const flagEntry = (name: string, key: string, flag: Flag<unknown>, fields: Fields): FlagEntry => ({
  name: flagName(key),
  value: flag.value,
  ...(flag.acceptsValue === true ? { acceptsValue: true } : {}),
  ...(flag.hidden === true ? { hidden: true } : {}),
  repeatable: flag.repeatable,
  describe: describe(name, key, flag, fields),
  ...optional(flag),
})

/** In the order of the groups; within a group by name, one-word names first. */
const inHelpOrder = (a: Entry, b: Entry): number =>
  GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
  Number(a.name.includes(' ')) - Number(b.name.includes(' ')) ||
  (a.name < b.name ? -1 : 1)

const rowOf = (data: object, file: string): string =>
  `  { ${JSON.stringify(data).slice(1, -1)}, load: () => import('./${file}') },`

const listText = (name: string, type: string, rows: readonly string[]): string =>
  `/** Made by \`npm run manifest\` from the commands and the schemas of their operations. */
import type { ${type} } from './manifest-entry.ts'

// prettier-ignore
export const ${name}: readonly ${type}[] = [
${rows.join('\n')}
]
`

/** The index of operations. It is written first, because the other lists are read through it. */
const indexText = async (): Promise<Readonly<Record<string, string>>> => ({
  'operations/index.ts': await operationsIndex(join(src, 'operations')),
})

/** The manifest, the short index that every command loads, and the tools. */
const textsOf = async (entries: readonly Entry[]): Promise<Readonly<Record<string, string>>> => ({
  'cli/manifest.ts': listText(
    'MANIFEST',
    'CommandEntry',
    entries.map(({ file, ...entry }) => rowOf(entry, file)),
  ),
  'cli/command-index.ts': listText(
    'COMMAND_INDEX',
    'CommandKey',
    entries.map(({ file, name, aliases }) => rowOf({ name, aliases }, file)),
  ),
  'mcp/toolset.ts': await (await import('./toolset.ts')).toolsetText(),
})

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function readCommands(): Promise<readonly Entry[]> {
  const files = readdirSync(join(cli, 'commands'), { recursive: true, encoding: 'utf8' })
  const entries: Entry[] = []
  for (const name of files.filter((file) => file.endsWith('.ts')).toSorted())
    entries.push(await readCommand(join(cli, 'commands', name)))
  return entries.toSorted(inHelpOrder)
}

/** Writes the texts that differ from their files. With --check it names them and exits instead. */
function update(texts: Readonly<Record<string, string>>): void {
  const stale = Object.entries(texts).filter(([name, text]) => readIfExists(join(src, name)) !== text)
  if (stale.length === 0) return
  if (process.argv.includes('--check')) {
    console.error(`Out of date: ${stale.map(([name]) => `src/${name}`).join(', ')}. Run: npm run manifest`)
    process.exit(1)
  }
  for (const [name, text] of stale) writeFileSync(join(src, name), text)
}

update(await indexText())
update(await textsOf(await readCommands()))
