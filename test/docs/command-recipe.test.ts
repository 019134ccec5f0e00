// Follows docs/contributing/add-a-command.md on a copy of the source, and runs the new command.
import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { copySource, makeFolder } from '../helpers/source-copy.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = readFileSync(join(ROOT, 'docs', 'contributing', 'add-a-command.md'), 'utf8')

/** Each step that writes a file names it before its code. */
const WRITTEN = [...PAGE.matchAll(/^\d\. Write [^`]*`([^`]+)`.*?^ {3}```ts\n(.*?)^ {3}```$/gms)].map(
  ([, path = '', code = '']) => ({ path, code: code.replaceAll(/^ {3}/gm, '') }),
)

const sourceOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, 'src', name)).isFile())
      .map((name) => [`src/${name}`, readFileSync(join(folder, 'src', name), 'utf8')]),
  )

test('two new files are enough for a new command', { timeout: 240_000 }, async () => {
  const copy = copySource()
  const home = makeFolder()
  const env = { PATH: process.env['PATH'], HOME: home, USER: 'ada' }
  const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: copy, env })
  const muster = async (...args: string[]) => (await run(join(copy, 'dist', 'bin.js'), ...args)).stdout
  const before = sourceOf(copy)
  for (const { path, code } of WRITTEN) writeFileSync(join(copy, path), code, { flag: 'wx' })
  await run(process.execPath, 'scripts/build.mjs', '--if-needed')
  await run(join(copy, 'node_modules', '.bin', 'tsc'), '-p', 'tsconfig.src.json')

  const changed = [...sourceOf(copy)].filter(([path, text]) => before.get(path) !== text)
  const byHand = changed.filter(([, text]) => !text.startsWith('/** Made by `npm run manifest`'))
  expect(byHand.map(([path]) => path).toSorted()).toEqual(WRITTEN.map(({ path }) => path).toSorted())
  expect(byHand).toHaveLength(2)

  expect(await muster('help', 'age')).toContain('round down to whole days')
  const { id } = JSON.parse(await muster('create', 'Say hello', '--json')) as { id: string }
  expect(JSON.parse(await muster('age', id, '--json'))).toEqual({ id, ageMs: expect.any(Number) as number })
  expect(await muster('age', id, '--days')).toBe(`${id} is 0d old.\n`)
})
