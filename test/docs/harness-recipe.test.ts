// Follows docs/contributing/add-a-harness.md on a copy of the source, and runs a card with the new harness.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { copySource, makeFolder } from '../helpers/source-copy.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = readFileSync(join(ROOT, 'docs', 'contributing', 'add-a-harness.md'), 'utf8')

const [adapter = '', row = ''] = [...PAGE.matchAll(/^ {3}```ts\n(.*?)^ {3}```$/gms)].map(([, code = '']) =>
  code.replaceAll(/^ {3}/gm, ''),
)

/** A program that prints two lines as the adapter reads them, and reports its result in a file. */
const PARROT = `#!/bin/sh
cat > heard.txt
printf '%s\\n' "$@" > arguments.txt
echo '{"session":"s1"}'
echo '{"text":"Hello"}'
echo '{"verdict":"complete","summary":"said hello"}' > RESULT.json
`

function follow(copy: string): void {
  writeFileSync(join(copy, 'src/harnesses/parrot.ts'), adapter)
  const table = join(copy, 'src/harnesses/index.ts')
  const before = readFileSync(table, 'utf8')
  writeFileSync(
    table,
    before.replace(/^const HARNESSES = \{$/m, (line) => `${line}\n  ${row.trim()}`),
  )
  expect(readFileSync(table, 'utf8').split('\n')).toHaveLength(before.split('\n').length + 1)
}

test('a new file and a line are enough for a card to run with a new harness', { timeout: 240_000 }, async () => {
  const copy = copySource()
  const home = makeFolder()
  const env = { PATH: [home, process.env['PATH']].join(delimiter), HOME: home, USER: 'ada' }
  const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: copy, env })
  const muster = async (...args: string[]) => (await run(join(copy, 'dist', 'bin.js'), ...args)).stdout
  writeFileSync(join(home, 'parrot'), PARROT, { mode: 0o755 })
  follow(copy)
  await run(join(copy, 'node_modules', '.bin', 'tsc'), '-p', 'tsconfig.src.json')
  await run(process.execPath, 'scripts/build.mjs', '--if-needed')

  expect(await muster('help', 'agents', 'add')).toContain('parrot')
  await muster('init')
  await muster('agents', 'add', 'polly', '--harness', 'parrot', '--model', 'grey')
  const workspace = join(home, 'work')
  mkdirSync(workspace)
  const made = JSON.parse(
    await muster('create', 'Say hello', '--assignee', 'polly', '--workspace', `dir:${workspace}`, '--json'),
  ) as { id: string }
  await muster('dispatch', '--wait')

  expect(JSON.parse(await muster('show', made.id, '--json'))).toMatchObject({ status: 'done', result: 'said hello' })
  expect(await muster('log', made.id)).toContain('Hello')
  expect(readFileSync(join(workspace, 'heard.txt'), 'utf8')).toContain('Say hello')
  expect(readFileSync(join(workspace, 'arguments.txt'), 'utf8')).toMatch(/^--json\n--tools\n.+\n--model\ngrey\n$/)
})
