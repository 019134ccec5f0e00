import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BoardError } from '../../../src/core/errors.ts'
import type { Store } from '../../../src/storage/store.ts'
import { thisHost } from '../../../src/processes/identity.ts'
import { runDirectoryAt } from '../../../src/runs/files/run-directory.ts'
import type { ConnectedRun } from '../../../src/supervisor/supervised-run.ts'
import { Activity } from '../../../src/supervisor/activity.ts'
import { OutputMonitor } from '../../../src/supervisor/turns/output-monitor.ts'
import { EndCauses } from '../../../src/supervisor/end-causes.ts'
import type { Cut } from '../../../src/supervisor/end-agent.ts'
import { CheckRunner } from '../../../src/supervisor/check-runner.ts'
import { TurnTimeout } from '../../../src/supervisor/turns/turn-timeout.ts'
import { runTurn } from '../../../src/supervisor/turns/run-turn.ts'
import { prepareAgent } from '../../../src/supervisor/start-agent.ts'
import { card, runOf, sampleRun, sampleTask } from '../../helpers/sample.ts'

/** Makes a shell card with one parent. The store answers with `answer`. */
function begin(answer: () => Promise<null>) {
  const home = mkdtempSync(join(tmpdir(), 'muster-run-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const directory = runDirectoryAt(join(home, 'run'))
  mkdirSync(directory.path)
  const owned = {
    store: { handOffs: async () => (await answer()) ?? [] } as unknown as Store,
    host: thisHost(),
    directory,
    run: sampleRun(),
    socket: null,
    fence: { runId: runOf('a'), tokenHash: 'f00d' },
    env: { PATH: process.env['PATH'] },
    task: { ...sampleTask({ body: 'echo hello; exit 3' }), parents: [card('b')], children: [] },
    ticket: {
      home,
      board: 'main',
      task: card('a'),
      agent: 'shell',
      harness: 'shell',
      tools: [],
      skills: [],
      setup: [],
      passEnvironment: [],
      logMaxBytes: 65_536,
    },
  } as unknown as ConnectedRun
  const causes = new EndCauses<Cut>()
  const checkRunner = new CheckRunner(owned)
  const turnTimeout = new TurnTimeout(owned, checkRunner)
  const supervision = {
    causes,
    checkRunner,
    turnTimeout,
    activity: new Activity(directory.log),
    monitor: new OutputMonitor(owned, () => {}),
  }
  const run = () => runTurn(owned, supervision, async (signal) => (await prepareAgent(owned, signal)).request)
  return { home, directory, end: (cause: Cut) => causes.add(cause), run }
}

test('a turn retries while the store is busy', async () => {
  let tries = 0
  const { directory, run } = begin(async () => {
    tries += 1
    if (tries === 1) throw new BoardError('store_busy', 'busy')
    return null
  })
  expect(await run()).toEqual({ how: 'exited', exitCode: 3, signal: null })
  expect(readFileSync(directory.log, 'utf8')).toBe('hello\n')
})

test('a run that is superseded while it waits for the store starts no agent', async () => {
  const { directory, end, run } = begin(() => Promise.reject(new BoardError('store_unreachable', 'gone')))
  const ending = run()
  end({ kind: 'superseded' })
  expect(await ending).toBeNull()
  expect(() => readFileSync(directory.log)).toThrow('ENOENT')
})

test('a run file that cannot be written is not the agent’s failure', async () => {
  const { directory, run } = begin(async () => null)
  rmSync(directory.path, { recursive: true })
  expect(await run()).toMatchObject({ how: 'interrupted', error: expect.stringContaining('ENOENT') })
})

test('a workspace that cannot be made is a failed start', async () => {
  const { home, run } = begin(async () => null)
  writeFileSync(join(home, 'boards'), 'not a folder')
  expect(await run()).toMatchObject({ how: 'spawn_failed' })
})
