/** Tests the file helper, a process that runs file tasks for another process: the built program, and its failures. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { startFileHelper } from '../../src/file-helper/helper-process.ts'
import { FILE_HELPER } from '../../src/file-helper/use-helper-in.ts'
import { hashContent } from '../../src/file-helper/probes/content-hash.ts'
import { BIN } from '../helpers/cli.ts'
import { testFolder } from '../helpers/stores.ts'

const HELPER = join(dirname(BIN), FILE_HELPER)
const SHORT = { idleMs: 10 }

/** Makes a helper program that runs `body` for each request. In `body`, `here` is the folder of the test. */
function fixture(body: string): { program: string; here: string } {
  const here = testFolder()
  const program = join(here, 'helper.js')
  writeFileSync(
    program,
    `const here = ${JSON.stringify(here)}, fs = require('node:fs')
     const answer = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
     process.stdin.on('end', () => process.exit(0))
     let rest = ''
     process.stdin.setEncoding('utf8').on('data', (piece) => {
       const lines = (rest + piece).split('\\n')
       rest = lines.pop()
       for (const line of lines) { const request = JSON.parse(line); ${body} }
     })`,
  )
  return { program, here }
}

const ROOT = { folder: '/', home: '/nowhere', workspace: { kind: 'dir', repo: null } } as const

test('the built helper returns the same hash as the function', async () => {
  const folder = testFolder()
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'sub/large'), Buffer.alloc(3 * 1024 * 1024, 7))
  writeFileSync(join(folder, 'a'), 'a')
  const run = startFileHelper(HELPER, SHORT)
  const content = { folder, home: testFolder(), workspace: { kind: 'dir', repo: null } } as const
  expect(await run('hashContent', content, {})).toBe(await hashContent(content))
})

test('the built helper does not contain SQLite', () => {
  const code = readFileSync(HELPER, 'utf8')
  expect(code).not.toMatch(/photostructure|DatabaseSync|node:sqlite/)
})

test('an error from the file helper keeps its code and its message', async () => {
  const run = startFileHelper(HELPER, SHORT)
  const place = { home: testFolder(), board: 'main', task: 't_0000000000' }
  const missing = { place, name: 'a', path: '/does/not/exist', store: '/nowhere/muster.db' }
  await expect(run('attachCopy', missing, {})).rejects.toMatchObject({
    name: 'BoardError',
    code: 'invalid_input',
    message: '/does/not/exist cannot be attached: it does not exist.',
  })
})

test('a task that only reads runs again when the helper dies', async () => {
  const { program } = fixture(`
    if (fs.existsSync(here + '/died')) answer({ id: request.id, value: 'second' })
    else { fs.writeFileSync(here + '/died', ''); process.kill(process.pid, 'SIGKILL') }`)
  expect(await startFileHelper(program, SHORT)('hashContent', ROOT, {})).toBe('second')
})

test('a task that writes fails with a message when the helper dies', async () => {
  const { program } = fixture(`process.kill(process.pid, 'SIGKILL')`)
  await expect(startFileHelper(program, SHORT)('attachCopy', {}, {})).rejects.toMatchObject({
    code: 'store_io',
    message: 'The file helper stopped (SIGKILL) before the task attachCopy was done. Try again.',
  })
})

test('a file helper that does not answer is killed', async () => {
  const { program } = fixture(`fs.writeFileSync(here + '/pid', String(process.pid)); setInterval(() => {}, 1000)`)
  const run = startFileHelper(program, { ...SHORT, taskMs: 2_000 })
  await expect(run('attachCopy', {}, {})).rejects.toMatchObject({ code: 'store_io' })
})

test('an aborted call to the file helper rejects with the reason and cancels the task', async () => {
  const { program, here } = fixture(`
    if (request.cancel) fs.writeFileSync(here + '/cancelled', '')
    else answer({ id: request.id, progress: 'begun' })`)
  const cut = new AbortController()
  const run = startFileHelper(program, { idleMs: 60_000 })
  const onProgress = () => cut.abort(new Error('nobody waits'))
  await expect(run('hashContent', ROOT, { signal: cut.signal, onProgress })).rejects.toThrow('nobody waits')
  await expect.poll(() => existsSync(join(here, 'cancelled'))).toBe(true)
  await expect(run('hashContent', ROOT, { signal: cut.signal })).rejects.toThrow('nobody waits')
})

test('the helper survives Ctrl-C and ends with its caller', async () => {
  const child = spawn(process.execPath, [HELPER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const answers: string[] = []
  child.stdout.setEncoding('utf8').on('data', (piece: string) => answers.push(piece))
  const ask = (id: number) => child.stdin.write(`${JSON.stringify({ id, task: 'none', input: null })}\n`)
  ask(1)
  await expect.poll(() => answers.join('')).toContain('"id":1')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal)
  ask(2)
  await expect.poll(() => answers.join('')).toContain('"id":2')
  expect(answers.join('')).toContain('The file helper has no task none')
  child.stdin.end()
  expect(await ended).toEqual({ code: 0, signal: null })
})
