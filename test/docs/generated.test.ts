import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ASSISTANT_NAMES } from '../../src/mcp-install/names.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

test.each([
  ['the generated lists match the operations, commands and tools', 'scripts/manifest.ts'],
  ['the generated pages match the code', 'scripts/docs.ts'],
])('%s', async (_, script) => {
  const flags = ['--import', 'tsx', '--import', './scripts/sql-loader.mjs']
  const fault = await run(process.execPath, [...flags, script, '--check'], { cwd: ROOT }).catch((error: Error) => error)
  expect(fault instanceof Error ? fault.message : '').toBe('')
})

test('the routes of the HTTP API are described without words of the command line', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/http-api.md'), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| `(GET|POST|PUT|PATCH|DELETE) /.test(line))
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter((row) => /--[a-z]|Ctrl-C|\band exit\b|\| Print /.test(row))).toEqual([])
})

/** The variables for tests and for Muster's own processes, which users never set. */
const INTERNAL = ['MUSTER_CARRIED_', 'MUSTER_CHECK', 'MUSTER_MACHINE_CAP']

test('the reference lists every variable that Muster reads or sets', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/config-and-environment.md'), 'utf8')
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
  const names = new Set(files.flatMap((text) => [...text.matchAll(/\bMUSTER_[A-Z_]+/g)].map(([name]) => name)))
  const missing = [...names].filter((name) => name !== 'MUSTER_' && !INTERNAL.includes(name) && !page.includes(name))
  expect(missing).toEqual([])
})

test('the guide lists every assistant that can be connected', () => {
  const page = readFileSync(join(ROOT, 'docs/guides/use-from-your-assistant.md'), 'utf8')
  expect(ASSISTANT_NAMES.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([])
})
