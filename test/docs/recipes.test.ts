// Follows the pages "Add a command", "Add a card field" and "Add a harness" on a copy of the source, and runs the
// result.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CODE_VERSION } from '../../src/storage/migrate.ts'
import { copySource, makeFolder } from '../helpers/source-copy.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const page = (name: string): string => readFileSync(join(ROOT, 'docs', 'contributing', `${name}.md`), 'utf8')

/** Returns the code blocks of a page, in order. */
const codeIn = (text: string): string[] =>
  [...text.matchAll(/^ {3}```(?:ts|sql)\n(.*?)^ {3}```$/gms)].map(([, code = '']) => code.replaceAll(/^ {3}/gm, ''))

/** Returns the files that a page names, with the code after each name. */
const filesIn = (text: string): { path: string; code: string }[] =>
  [...text.matchAll(/`(src\/[^`]+\.(?:ts|sql))`[^`]*?\n\n {3}```(?:ts|sql)\n(.*?)^ {3}```$/gms)].map(
    ([, path = '', code = '']) => ({ path, code: code.replaceAll(/^ {3}/gm, '') }),
  )

/** A program that prints two lines in the format that the adapter reads, and reports its result in a file. */
const PARROT = `#!/bin/sh
cat > heard.txt
printf '%s\\n' "$@" > arguments.txt
echo '{"session":"s1"}'
echo '{"text":"Hello"}'
echo '{"verdict":"complete","summary":"said hello"}' > RESULT.json
`

const copy = copySource()
const home = makeFolder()
const env = { PATH: [home, process.env['PATH']].join(delimiter), HOME: home, USER: 'ada' }
const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: copy, env })
const muster = async (...args: string[]): Promise<string> => (await run(join(copy, 'dist', 'bin.js'), ...args)).stdout

const sourceOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, 'src', name)).isFile())
      .map((name) => [`src/${name}`, readFileSync(join(folder, 'src', name), 'utf8')]),
  )

function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(join(copy, path), 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`The recipe changes nothing in ${path}.`)
  writeFileSync(join(copy, path), after)
}

/** Follows the recipe and returns the files that it touched. */
function addCommand(): string[] {
  const files = filesIn(page('add-a-command')).slice(0, 2)
  for (const { path, code } of files) writeFileSync(join(copy, path), code, { flag: 'wx' })
  return files.map(({ path }) => path)
}

function addField(): { readonly field: string[]; readonly migration: string[] } {
  const [entry = ''] = codeIn(page('add-a-card-field'))
  const table = 'src/core/card-fields.ts'
  edit(table, (text) => text.replace(/^const CARD_FIELDS = \{$/m, (line) => `${line}\n${entry}`))
  const files = filesIn(page('add-a-card-field')).filter(({ path }) => path.endsWith('.sql'))
  for (const { path, code } of files) {
    writeFileSync(join(copy, path), code, { flag: 'wx' })
    const list = path.replace(/\/migrations\/.*/, '/migrations.ts')
    edit(list, (text) =>
      text
        .replace(
          /^import \w+ from '\.\/migrations\/0001/m,
          (line) => `import estimate from './migrations/${basename(path)}'\n${line}`,
        )
        .replace(
          /(MIGRATIONS: readonly Migration\[\] = \[.*?)^\]/ms,
          (_, rows: string) =>
            `${rows}  { version: ${CODE_VERSION + 1}, name: 'estimate', text: estimate, minCode: 1 },\n]`,
        ),
    )
  }
  edit('src/storage/migrate.ts', (text) =>
    text.replace(`CODE_VERSION = ${CODE_VERSION}`, `CODE_VERSION = ${CODE_VERSION + 1}`),
  )
  const lists = files.map(({ path }) => path.replace(/\/migrations\/.*/, '/migrations.ts'))
  return { field: [table], migration: [...files.map(({ path }) => path), ...lists, 'src/storage/migrate.ts'] }
}

function addHarness(): string[] {
  const [adapter = '', row = ''] = codeIn(page('add-a-harness'))
  writeFileSync(join(copy, 'src/harnesses/parrot.ts'), adapter, { flag: 'wx' })
  const lines = (): number => readFileSync(join(copy, 'src/harnesses/index.ts'), 'utf8').split('\n').length
  const before = lines()
  edit('src/harnesses/index.ts', (text) =>
    text.replace(/^const HARNESSES = \{$/m, (line) => `${line}\n  ${row.trim()}`),
  )
  expect(lines()).toBe(before + 1)
  return ['src/harnesses/parrot.ts', 'src/harnesses/index.ts']
}

describe('following the recipes', () => {
  let touched: { command: string[]; field: string[]; migration: string[]; harness: string[] }
  let changed: string[]

  beforeAll(async () => {
    const before = sourceOf(copy)
    touched = { command: addCommand(), ...addField(), harness: addHarness() }
    // Builds only the program, because the copy has no sources of the dashboard.
    const build = `await (await import('./scripts/ensure.mjs')).ensureBuilt()`
    await run(process.execPath, '--input-type=module', '--eval', build)
    await run(join(copy, 'node_modules', '.bin', 'tsc'), '-p', 'tsconfig.src.json')
    changed = [...sourceOf(copy)]
      .filter(([path, text]) => before.get(path) !== text && !text.startsWith('/** Generated by `npm run manifest`'))
      .map(([path]) => path)
  }, 240_000)

  afterAll(() => {
    for (const folder of [copy, home]) rmSync(folder, { recursive: true, force: true })
  })

  test('each recipe changes only the files that its page names', () => {
    const { command, field, migration, harness } = touched
    expect([command.length, field.length, harness.length]).toEqual([2, 1, 2])
    expect(changed.toSorted()).toEqual([...command, ...field, ...migration, ...harness].toSorted())
  })

  test('the command of the recipe works', async () => {
    expect(await muster('help', 'age')).toContain('round down to whole days')
    const { id } = JSON.parse(await muster('create', 'Say hello', '--json')) as { id: string }
    expect(JSON.parse(await muster('age', id, '--json'))).toEqual({ id, ageMs: expect.any(Number) as number })
    expect(await muster('age', id, '--days')).toBe(`${id} is 0d old.\n`)
  })

  test('the field of the recipe can be set, edited and shown', async () => {
    const { id } = JSON.parse(await muster('create', 'Fix the login', '--estimate', '3', '--json')) as { id: string }
    expect(await muster('show', id)).toMatch(/estimate +3/)
    expect(await muster('context', id)).toContain('Estimate: `3`')
    await muster('edit', id, '--estimate', '5')
    expect(JSON.parse(await muster('show', id, '--json'))).toMatchObject({ estimate: 5 })
    await muster('edit', id, '--estimate', 'none')
    expect(JSON.parse(await muster('list', '--json'))).toContainEqual(expect.objectContaining({ id, estimate: null }))
  })

  test('a card runs with the harness of the recipe', async () => {
    writeFileSync(join(home, 'parrot'), PARROT, { mode: 0o755 })
    expect(await muster('help', 'agents', 'add')).toContain('parrot')
    await muster('agents', 'add', 'polly', '--harness', 'parrot', '--model', 'grey')
    const workspace = join(home, 'work')
    mkdirSync(workspace)
    const args = ['Say hello', '--assignee', 'polly', '--workspace', `dir:${workspace}`, '--json']
    const { id } = JSON.parse(await muster('create', ...args)) as { id: string }
    await muster('dispatch', '--wait')
    expect(JSON.parse(await muster('show', id, '--json'))).toMatchObject({ status: 'done', result: 'said hello' })
    expect(await muster('log', id)).toContain('Hello')
    expect(readFileSync(join(workspace, 'heard.txt'), 'utf8')).toContain('Say hello')
    expect(readFileSync(join(workspace, 'arguments.txt'), 'utf8')).toMatch(/^--json\n--tools\n.+\n--model\ngrey\n$/)
  })
})
