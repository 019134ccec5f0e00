import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RunId } from '../../../src/core/ids.ts'
import type { CheckPlace } from '../../../src/supervisor/checks/command-check.ts'
import { checkEnvironment } from '../../../src/supervisor/checks/environment.ts'
import { checkWorkspace } from '../../../src/supervisor/checks/check-workspace.ts'
import { failureOutput, failureSummary } from '../../../src/supervisor/checks/report.ts'
import { runChecks } from '../../../src/supervisor/checks/run-checks.ts'
import { thisHost } from '../../../src/processes/identity.ts'
import { waitUntil } from '../../../src/processes/wait-until.ts'
import { runUntilTimeout } from '../../helpers/run-until-timeout.ts'
import { runOf, sampleTask } from '../../helpers/sample.ts'

const { processes } = thisHost()
const SECRET = 'not for checks'

function place(more: Partial<CheckPlace> = {}): CheckPlace {
  const workspace = mkdtempSync(join(tmpdir(), 'muster-check-'))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  const run: RunId = runOf('a')
  const env = { ...process.env, SECRET, MUSTER_NONCE: 'nonce' }
  return {
    workspace,
    run,
    env: checkEnvironment(env, { task: sampleTask(), workspace, run, passed: [] }),
    timeoutMs: 20_000,
    processes,
    timeouts: { terminateGraceMs: 300, killWaitMs: 5_000 },
    signal: new AbortController().signal,
    ...more,
  }
}

const isGone = (pid: number): boolean => processes.read(pid)?.zombie ?? true

/** Returns the number in a file, after a check has written the file. */
async function written(path: string): Promise<number> {
  const look = async () =>
    existsSync(path) && readFileSync(path, 'utf8').endsWith('\n') ? readFileSync(path, 'utf8') : null
  const found = await waitUntil({ watch: async () => ({ stop: async () => {} }) }, look, { forMs: 20_000, everyMs: 10 })
  return Number(found)
}

test('a check command runs in the workspace, and its exit code is the result', async () => {
  const here = place()
  const results = await runChecks(['pwd', 'echo one; echo two >&2; exit 3', 'kill -9 $$'], here)
  expect(results).toMatchObject([
    { check: 'pwd', ok: true, fault: null, exitCode: 0, output: `${here.workspace}\n` },
    { ok: false, fault: 'exit 3', exitCode: 3, output: 'one\ntwo\n', leftOutBytes: 0, timedOut: false },
    { ok: false, fault: 'killed by SIGKILL', exitCode: null, signal: 'SIGKILL' },
  ])
})

test('a check gets its card and run, but no secrets and no nonce', async () => {
  const [result] = await runChecks(['env'], place())
  const names = (result?.output ?? '').split('\n').map((line) => line.split('=')[0])
  expect(names).toEqual(expect.arrayContaining(['PATH', 'MUSTER_TASK', 'MUSTER_RUN', 'MUSTER_WORKSPACE']))
  expect(names).not.toContain('SECRET')
  expect(names).not.toContain('MUSTER_NONCE')
})

test('a check that exceeds its timeout is killed with its child processes', async () => {
  const ignoresTerm = `trap '' TERM; sh -c 'trap "" TERM; echo $$ >child; while :; do sleep 1; done' & echo begun; wait`
  const { workspace } = place()
  const child = join(workspace, 'child')
  const [result] = await runUntilTimeout(
    (timeoutMs) => runChecks([ignoresTerm], place({ workspace, timeoutMs })),
    ([ran]) => existsSync(child) && ran?.output === 'begun\n',
  )
  expect(result).toMatchObject({
    ok: false,
    timedOut: true,
    fault: expect.stringMatching(/^took longer than [\d.]+ s$/),
    exitCode: null,
    output: 'begun\n',
  })
  expect(isGone(Number(readFileSync(child, 'utf8')))).toBe(true)
})

test('processes that a check leaves behind are ended without delay', async () => {
  const here = place()
  const [result] = await runChecks(['sleep 600 & echo $! >left; echo done'], here)
  expect(result).toMatchObject({ ok: true, output: 'done\n' })
  expect(isGone(await written(join(here.workspace, 'left')))).toBe(true)
})

test('long output keeps its beginning, its end and the omitted size', async () => {
  const flood =
    'echo first; i=0; while [ $i -lt 20000 ]; do echo "line $i of a flood"; i=$((i+1)); done; echo last; exit 1'
  const [result] = await runChecks([flood], place())
  expect(result?.output).toMatch(/^first\nline 0 of a flood\n/)
  expect(result?.output).toMatch(/line 19999 of a flood\nlast\n$/)
  expect(result?.output).toContain(`[… ${result?.leftOutBytes} bytes left out …]`)
  expect(Buffer.byteLength(result?.output ?? '')).toBeLessThan(17_000)
  expect(result?.leftOutBytes).toBeGreaterThan(100_000)
})

test('an abort ends the current check, and no further check starts', async () => {
  const stop = new AbortController()
  const here = place({ signal: stop.signal })
  const answer = runChecks(['echo $$ >pid; sleep 600', 'touch second'], here)
  const pid = await written(join(here.workspace, 'pid'))
  stop.abort()
  await expect(answer).rejects.toThrow('abort')
  expect(isGone(pid)).toBe(true)
  expect(existsSync(join(here.workspace, 'second'))).toBe(false)
})

test('a check fails with the reason if its workspace is missing', async () => {
  const here = place()
  rmSync(here.workspace, { recursive: true })
  expect(await runChecks(['true'], here)).toMatchObject([{ ok: false, fault: expect.stringContaining('ENOENT') }])
})

test('the summary of the checks has the first failed check and the end of its output', async () => {
  const results = await runChecks(['true', 'echo why; exit 2', 'file:*.md'], place())
  expect(failureSummary(results)).toBe('check failed: echo why; exit 2 (exit 2), and 1 more: why')
  expect(failureOutput(results)).toBe(
    'check failed: echo why; exit 2 (exit 2)\nwhy\n\ncheck failed: file:*.md (no file matches *.md)',
  )
})

test('checks run again if they change the content while the agent works', async () => {
  const count = 'echo x >>../$(basename "$PWD").count; echo $$ >changing'
  for (const [works, times] of [
    [true, 2],
    [false, 1],
  ] as const) {
    const here = place()
    onTestFinished(() => rmSync(`${here.workspace}.count`, { force: true }))
    const content = { folder: here.workspace, home: tmpdir(), workspace: { kind: 'scratch', repo: null } } as const
    const found = await checkWorkspace([count], { ...here, content }, () => works)
    expect(found.passed).toBe(true)
    expect(readFileSync(`${here.workspace}.count`, 'utf8').trim().split('\n')).toHaveLength(times)
  }
})
