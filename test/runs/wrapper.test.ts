// Tests the real script with the real shell.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readExit } from '../../src/runs/files/exit-file.ts'
import { linuxProcesses } from '../../src/processes/linux-processes.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { readIfExists } from '../../src/util/replace-file.ts'
import { startDetached } from '../../src/processes/spawn.ts'
import type { ProcessExit } from '../../src/processes/spawn.ts'
import { WRAPPER, readLeader, wrapperArguments } from '../../src/runs/wrapper.ts'
import { runOf } from '../helpers/sample.ts'

/** Waits a moment, because a test can only poll for files of another process. */
const tick = (): Promise<void> => sleep(5)

const fence = { runId: runOf('a'), tokenHash: 'f00d' }

async function wrap(argv: readonly string[], env: Record<string, string> = { PATH: '/usr/bin:/bin' }) {
  const directory = runDirectoryAt(mkdtempSync(join(tmpdir(), 'muster-wrapper-')))
  onTestFinished(() => rmSync(directory.path, { recursive: true, force: true }))
  writeFileSync(directory.wrapper, WRAPPER, { mode: 0o700 })
  const started = await startDetached({
    program: '/bin/sh',
    args: wrapperArguments(directory, fence, argv),
    cwd: directory.path,
    env,
    log: directory.log,
  })
  return { directory, started, log: () => readFileSync(directory.log, 'utf8') }
}

const script = (text: string): readonly string[] => ['/bin/sh', '-c', text]

async function endOf(
  argv: readonly string[],
  env?: Record<string, string>,
): Promise<[ProcessExit, ProcessExit | null, string]> {
  const { directory, started, log } = await wrap(argv, env)
  const exit = await started.exited
  return [exit, await readExit(directory, fence), log()]
}

test('the wrapper writes the agent’s exit code and exits with the same code', async () => {
  expect(await endOf(script('echo out; echo err >&2; exit 3'))).toEqual([
    { code: 3, signal: null },
    { code: 3, signal: null },
    'out\nerr\n',
  ])
})

test('the wrapper writes the signal that killed the agent', async () => {
  const [, written] = await endOf(script('kill -KILL $$'))
  expect(written).toEqual({ code: 137, signal: 'SIGKILL' })
})

test('a missing program gives exit code 127', async () => {
  const [exit, written] = await endOf(['/no/such/program'])
  expect([exit.code, written?.code]).toEqual([127, 127])
})

test('arguments reach the agent unchanged', async () => {
  const [, , log] = await endOf(['/bin/sh', '-c', 'printf "<%s>" "$@"', 'sh', 'a b', '$HOME', '', "it's", '*'])
  expect(log).toBe("<a b><$HOME><><it's><*>")
})

test('the exit code is written even if PATH has no standard tools', async () => {
  const [, written] = await endOf(script('exit 7'), { PATH: '/nowhere' })
  expect(written?.code).toBe(7)
})

test('the standard input of the agent is empty', async () => {
  const [, , log] = await endOf(script('read -r line || echo none'))
  expect(log).toBe('none\n')
})

test('a signal to the group ends the agent, and the wrapper writes the status', async () => {
  const { directory, started } = await wrap(script('echo ready >ready; while :; do sleep 0.02; done'))
  while (linuxProcesses.read(started.pid) !== null && (await readIfExists(join(directory.path, 'ready'))) === null)
    await tick()
  process.kill(-started.pid, 'SIGTERM')
  await started.exited
  expect(await readExit(directory, fence)).toEqual({ code: 143, signal: 'SIGTERM' })
})

test('the wrapper leads its session and writes its pid and start time', async () => {
  const { directory, started } = await wrap(script('while [ ! -e go ]; do sleep 0.02; done'))
  while ((await readLeader(directory, fence)) === null) await tick()
  const found = linuxProcesses.read(started.pid)
  expect(await readLeader(directory, fence)).toEqual({ pid: started.pid, startTime: found?.startTime })
  expect(found).toMatchObject({ session: started.pid, group: started.pid })
  writeFileSync(join(directory.path, 'go'), '')
  expect((await started.exited).code).toBe(0)
})
