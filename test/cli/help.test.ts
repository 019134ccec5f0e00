// Tests that the help of a command fits into 24 lines of 80 columns, and that every example is valid.
import { describe, expect, test } from 'vitest'
import { findCommand } from '../../src/cli/find-command.ts'
import { familyHelp, firstWords, membersOf, programHelp, commandHelp } from '../../src/cli/help.ts'
import { foldCommand, layTable } from '../../src/cli/help-table.ts'
import { MANIFEST } from '../../src/cli/manifest.ts'
import { readValues, splitFor } from '../../src/cli/parse.ts'
import type { CliCommand } from '../../src/cli/command.ts'
import { makeCliHome } from '../helpers/in-process.ts'

const names = MANIFEST.map(({ name }) => name)
const entryOf = (name: string) => MANIFEST.find((entry) => entry.name === name) ?? expect.unreachable()

function expectToFit(text: string, rows = 24): void {
  const lines = text.trimEnd().split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  expect(lines.slice(rows)).toEqual([])
}

/** Returns the arguments of an example, as a shell passes them. In a pipeline, only the `muster` command counts. */
function wordsOf(example: string): string[] {
  const line = /(?:^|\(|\| )muster ([^)|]*)/.exec(example)?.[1] ?? ''
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

describe.each(names)('help of %s', (name) => {
  const entry = entryOf(name)

  test('the help text fits 80 × 24 and has an example', () => {
    expectToFit(commandHelp(entry))
    expect(entry.examples.length).toBeGreaterThan(0)
  })

  test('the parser accepts every example', async () => {
    for (const example of entry.examples) {
      const { entry: found, rest } = findCommand(MANIFEST, wordsOf(example))
      if (found === null) throw new Error(`${example} names no command`)
      const command = (await found.load()).command as unknown as CliCommand
      const world = { now: Date.now, readStdin: async () => Buffer.from('') }
      await expect(
        readValues(found.name, command, splitFor(found.name, command, rest), world as never),
      ).resolves.toBeDefined()
    }
    expect(entry.examples.some((example) => findCommand(MANIFEST, wordsOf(example)).entry === entry)).toBe(true)
  })

  test('flags, names and aliases are unique', () => {
    const flags = entry.flags.map((flag) => flag.name)
    expect(new Set(flags).size).toBe(flags.length)
    expect(names.filter((other) => other === name)).toHaveLength(1)
    expect(MANIFEST.filter((other) => other !== entry && entry.aliases.some((alias) => other.name === alias))).toEqual(
      [],
    )
  })
})

test('program help has one line per command, and group help fits 80 × 24', () => {
  expectToFit(programHelp(MANIFEST), firstWords(MANIFEST).length + 23)
  for (const name of firstWords(MANIFEST))
    if (membersOf(MANIFEST, name).length > 0) expectToFit(familyHelp(MANIFEST, name))
})

test('group help shows the flags of the command without a second word', async () => {
  const { muster } = makeCliHome()
  for (const name of firstWords(MANIFEST)) {
    const alone = MANIFEST.find((entry) => [entry.name, ...entry.aliases].includes(name))
    if (membersOf(MANIFEST, name).length === 0 || alone === undefined) continue
    const { stdout } = await muster(name, '--help')
    for (const flag of alone.flags) expect(stdout).toMatch(new RegExp(`^  .*--${flag.name}\\b`, 'm'))
  }
  const { stdout } = await muster('inbox', '--help')
  expect(stdout).toMatch(/^muster inbox \[flags\]\nmuster inbox <command>\n/)
  expect(stdout).toMatch(/^Flags of muster inbox:\n {2}-n, --limit <n>/m)
  expect((await muster('boards', '--help')).stdout).toMatch(
    /^Flags of muster boards:\n {2}.*--all {2}include archived/m,
  )
})

test('the program help lists every command, and no internal command', () => {
  for (const name of firstWords(MANIFEST)) expect(programHelp(MANIFEST)).toMatch(new RegExp(`[ ]${name}\\b`))
  expect(programHelp(MANIFEST)).not.toContain('__')
  expect(names.filter((name) => name.startsWith('_'))).toEqual([])
})

test('an acronym at the start of a description keeps its capitals', () => {
  expect(commandHelp(entryOf('up'), 80)).toContain('TLS certificate')
  expect(MANIFEST.filter((entry) => /\b[a-z][A-Z]{2}/.test(JSON.stringify(entry))).map(({ name }) => name)).toEqual([])
})

describe('other terminal widths', () => {
  const widthOf = (text: string): number => Math.max(...text.split('\n').map((line) => line.length))
  const textsAt = (width: number): string[] => [
    programHelp(MANIFEST, width),
    ...MANIFEST.map((entry) => commandHelp(entry, width)),
    ...firstWords(MANIFEST).flatMap((name) =>
      membersOf(MANIFEST, name).length > 0 ? [familyHelp(MANIFEST, name, width)] : [],
    ),
  ]
  /** Returns the words of a text, independent of its line breaks. */
  const wordsIn = (text: string): string[] => (text.replaceAll(' \\\n', ' ').match(/\S+/g) ?? []).toSorted()

  test.each([40, 57, 100])('every help text fits %i columns without losing a word', (width) => {
    const usual = textsAt(80)
    textsAt(width).forEach((text, at) => {
      expect(widthOf(text)).toBeLessThanOrEqual(width)
      expect(wordsIn(text)).toEqual(wordsIn(usual[at] ?? ''))
    })
  })

  test('help is as wide as the window, from 40 to 100 columns', async () => {
    const { run } = makeCliHome()
    const widest = async (columns: number, ...argv: string[]): Promise<number> => {
      const terminal = { columns, rows: 24, colors: false }
      return widthOf((await run(argv, { world: { terminal } })).stdout)
    }
    expect(await widest(100, 'help', 'agents')).toBeGreaterThan(80)
    expect(await widest(300, 'agents', '--help')).toBeLessThanOrEqual(100)
    expect(await widest(60, 'create', '--help')).toBeLessThanOrEqual(60)
    expect(await widest(10, 'help')).toBeGreaterThan(30)
  })

  test('a folded example can be pasted as one command', () => {
    expect(foldCommand('muster create "Say hello" --assignee shell', 41)).toEqual([
      '  muster create "Say hello" \\',
      '    --assignee shell',
    ])
  })
})

describe('the help command', () => {
  test('`muster help create` and `muster create --help` print the same text', async () => {
    const { muster } = makeCliHome()
    expect(await muster('help')).toMatchObject({ code: 0, stdout: programHelp(MANIFEST), stderr: '' })
    expect((await muster('help', 'create')).stdout).toBe(commandHelp(entryOf('create')))
    expect((await muster('create', '--help')).stdout).toBe(commandHelp(entryOf('create')))
    expect((await muster('help', 'boards', 'create')).stdout).toBe(commandHelp(entryOf('boards create')))
    expect((await muster('help', 'ls')).stdout).toBe(commandHelp(entryOf('list')))
  })

  test('help of a group includes the command of the same name', async () => {
    const { muster } = makeCliHome()
    for (const line of [
      ['help', 'mcp'],
      ['mcp', '--help'],
    ]) {
      const { stdout } = await muster(...line)
      expect(stdout).toMatch(/^ {2}mcp {2,}Run an MCP server/m)
      expect(stdout).toMatch(/^ {2}mcp install <assistant> /m)
    }
  })

  test('help of a group lists its commands', async () => {
    const { muster } = makeCliHome()
    const { stdout } = await muster('help', 'boards')
    for (const command of ['create', 'switch', 'archive', 'delete']) expect(stdout).toContain(`boards ${command}`)
    expect((await muster('boards', '--help')).stdout).toBe(stdout)
  })

  test('help for an unknown command suggests a similar one', async () => {
    const { muster } = makeCliHome()
    expect(await muster('help', 'creat')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('create?'),
    })
    expect(await muster('help', 'boards', 'lst')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('boards list?'),
    })
  })

  test('`help --json` prints the manifest entry', async () => {
    const { muster } = makeCliHome()
    expect((await muster('help', 'show', '--json')).json()).toMatchObject({ name: 'show', group: 'look' })
    expect((await muster('help', '--json')).json()).toHaveLength(MANIFEST.length)
  })

  test('`help` works inside a run and without a usable data folder', async () => {
    const { run } = makeCliHome()
    for (const env of [{ MUSTER_RUN: 'r_0123456789' }, { MUSTER_HOME: 'relative' }])
      for (const argv of [['help'], ['list', '--help'], ['completion', 'bash']])
        expect(await run(argv, { env })).toMatchObject({ code: 0, stderr: '' })
  })
})

test('a row of help that does not fit beside another row gets its own line', () => {
  const rows = [
    ['--a', 'short'],
    ['--b', 'x'.repeat(70)],
    ['--c', 'short'],
  ] as const
  expect(layTable(rows, { width: 80, lines: 3 })).toHaveLength(3)
  expect(layTable(rows, { width: 80, lines: 2 })).toEqual([`  --b  ${'x'.repeat(70)}`, '  --a  short  --c  short'])
})
