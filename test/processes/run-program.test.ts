import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../src/processes/run-program.ts'
import { runUntilTimeout } from '../helpers/run-until-timeout.ts'
import { testFolder } from '../helpers/stores.ts'

const sh = (script: string, how: Partial<Parameters<typeof runProgram>[2]> = {}) =>
  runProgram('sh', ['-c', script], { cwd: '/', ...how })

test('the result of a program has its output, errors and exit code', async () => {
  const ran = await sh('cat; echo oh >&2; exit 3', { stdin: Buffer.from([0, 255]) })
  expect(ran).toEqual({ code: 3, stdout: Buffer.from([0, 255]), stderr: 'oh', error: null })
})

test('a program does not inherit the environment of Muster', async () => {
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

test('a missing program and a missing folder give different errors', async () => {
  const cwd = testFolder()
  expect(await runProgram('no-such-program', [], { cwd })).toMatchObject({
    code: null,
    stderr: 'no-such-program is not installed here, or not on the PATH: install it.',
  })
  const gone = join(cwd, 'gone')
  expect(await sh('exit 0', { cwd: gone })).toMatchObject({ code: null, stderr: `${gone} does not exist.` })
})

test('a program that prints too much is killed and has no exit code', async () => {
  const ran = await sh('while :; do echo more; done', { maxBytes: 1000 })
  expect(ran).toMatchObject({ code: null, stderr: 'sh printed more than 1000 bytes' })
  expect(await sh('printf %1000s x', { maxBytes: 1000 })).toMatchObject({ code: 0 })
  expect(await sh('printf %1001s x', { maxBytes: 1000 })).toMatchObject({ code: null })
})

test('the timeout kills a program whose child holds the output open', async () => {
  const ran = await runUntilTimeout(
    (timeoutMs) => sh('sleep 60 & echo $!; wait', { timeoutMs }),
    ({ stdout }) => stdout.length > 0,
  )
  process.kill(Number(ran.stdout), 'SIGKILL')
  expect(ran).toMatchObject({ code: null, stderr: 'sh was ended by SIGTERM' })
})

test('with wholeGroup, a timeout ends children and programs that ignore SIGTERM', async () => {
  const late = { code: null, stderr: 'sh did not end in time' }
  expect(await sh('trap "" TERM; sleep 60 & wait', { timeoutMs: 200, wholeGroup: true })).toMatchObject(late)
  expect(await sh('sleep 60 &', { timeoutMs: 200, wholeGroup: true })).toMatchObject(late)
  expect(await sh('echo here', { wholeGroup: true })).toMatchObject({ code: 0, stdout: Buffer.from('here\n') })
})

test('long error output keeps its beginning and its end', async () => {
  const { stderr } = await sh('echo first >&2; printf "%20000s\\n" x >&2; echo last >&2; exit 1')
  expect([stderr.startsWith('first\n'), stderr.endsWith('\nlast'), stderr.length < 10_000]).toEqual([true, true, true])
})

test('an aborted program rejects with an AbortError', async () => {
  const control = new AbortController()
  const running = sh('sleep 5 & wait', { signal: control.signal, timeoutMs: null })
  control.abort()
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
})
