import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../src/processes/run-program.ts'
import { cutOff } from '../helpers/cut-off.ts'
import { testFolder } from '../helpers/stores.ts'

const sh = (script: string, how: Partial<Parameters<typeof runProgram>[2]> = {}) =>
  runProgram('sh', ['-c', script], { cwd: '/', ...how })

test('a program says what it prints, what it complains of and how it ended', async () => {
  const ran = await sh('cat; echo oh >&2; exit 3', { stdin: Buffer.from([0, 255]) })
  expect(ran).toEqual({ code: 3, stdout: Buffer.from([0, 255]), stderr: 'oh', error: null })
})

test('it hears nothing of our own environment', async () => {
  const { stdout } = await sh('env', { env: { ONLY: 'this', NOT: undefined } })
  const names = stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0] ?? '')
  expect(names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)).sort()).toEqual([
    'LC_ALL',
    'ONLY',
    'PATH',
  ])
})

test('one that is not there, and one whose folder is not there, are told apart', async () => {
  const cwd = testFolder()
  expect(await runProgram('no-such-program', [], { cwd })).toMatchObject({
    code: null,
    stderr: 'no-such-program is not installed here, or not on the PATH: install it.',
  })
  const gone = join(cwd, 'gone')
  expect(await sh('exit 0', { cwd: gone })).toMatchObject({ code: null, stderr: `${gone} does not exist.` })
})

test('one that prints too much is ended, and half its answer is none', async () => {
  const ran = await sh('while :; do echo more; done', { maxBytes: 1000 })
  expect(ran).toMatchObject({ code: null, stderr: 'sh printed more than 1000 bytes' })
  expect(await sh('printf %1000s x', { maxBytes: 1000 })).toMatchObject({ code: 0 })
  expect(await sh('printf %1001s x', { maxBytes: 1000 })).toMatchObject({ code: null })
})

test('one that takes too long is ended, whoever holds its output', async () => {
  const ran = await cutOff(
    (timeoutMs) => sh('sleep 60 & echo $!; wait', { timeoutMs }),
    ({ stdout }) => stdout.length > 0,
  )
  process.kill(Number(ran.stdout), 'SIGKILL')
  expect(ran).toMatchObject({ code: null, stderr: 'sh was ended by SIGTERM' })
})

test('one that ends while others hold its output, or ignores that it is to end, is not waited for', async () => {
  const late = { code: null, stderr: 'sh did not end in time' }
  expect(await sh('trap "" TERM; sleep 60 & wait', { timeoutMs: 200, wholeGroup: true })).toMatchObject(late)
  expect(await sh('sleep 60 &', { timeoutMs: 200, wholeGroup: true })).toMatchObject(late)
  expect(await sh('echo here', { wholeGroup: true })).toMatchObject({ code: 0, stdout: Buffer.from('here\n') })
})

test('of many complaints the first and the last are kept', async () => {
  const { stderr } = await sh('echo first >&2; printf "%20000s\\n" x >&2; echo last >&2; exit 1')
  expect([stderr.startsWith('first\n'), stderr.endsWith('\nlast'), stderr.length < 10_000]).toEqual([true, true, true])
})

test('one that is given up by its signal rejects', async () => {
  const control = new AbortController()
  const running = sh('sleep 5 & wait', { signal: control.signal, timeoutMs: null })
  control.abort()
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
})
