// Tests the start of a run, and the recovery of a run whose supervisor died or never started, with real processes.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunId, TaskId } from '../../src/core/ids.ts'
import { newRunId } from '../../src/util/mint.ts'
import { identify, ownIdentity } from '../../src/processes/identity.ts'
import { writeVerdict } from '../../src/runs/files/verdict-file.ts'
import { BIN, appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { ENGINES, SURFACE_ENGINES } from '../helpers/stores.ts'
import { finish, isGone, startUp, untilStatus } from '../helpers/run-cards.ts'
import {
  HOUR,
  WAITS_ONCE,
  claimFor,
  fenceOf,
  host,
  outcomesAndFailures,
  registerDead,
  startUnrelatedProcess,
  startWaitingCard,
} from './live-runs.ts'

describe.each(ENGINES)('a restarted dispatcher (%s)', (engine) => {
  test('a new dispatcher finds the supervisor that a killed dispatcher started (scenario 5)', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('waits', '--assignee', 'shell', '--body', WAITS_ONCE)
    const first = startUp(home)
    const { run } = await home.liveRun(card.id)
    first.child.kill('SIGKILL')
    await first.ended
    startUp(home)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
    expect(isLiving(run)).toBe(true)
    finish(home, card.id)
    await untilStatus(home, card.id, 'done')
    expect(await outcomesAndFailures(home, card.id)).toEqual({ outcomes: ['completed'], consecutiveFailures: 0 })
  })
})

describe.each(SURFACE_ENGINES)('starts (%s)', (engine) => {
  test('a dispatcher killed between claim and start is not a failure (scenario 4)', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('never', '--assignee', 'shell', '--body', 'echo done')
    await home.setBoard({ startDeadlineMs: 300 })
    await claimFor(home, card.id, null, { ...ownIdentity(host), startTime: '0' })
    await home.setBoard({ startDeadlineMs: 30_000 })
    startUp(home)
    await untilStatus(home, card.id, 'done')
    expect(await outcomesAndFailures(home, card.id)).toEqual({
      outcomes: ['interrupted', 'completed'],
      consecutiveFailures: 0,
    })
  })

  test('with a start deadline of 0, the dispatcher waits for a live supervisor', async () => {
    const home = makeTestHome(engine)
    const cards = [1, 2, 3].map((nth) => home.create(`card ${nth}`, '--assignee', 'shell', '--body', 'echo done'))
    const ids = (await Promise.all(cards)).map(({ id }) => id)
    await home.setBoard({ startDeadlineMs: 0 })
    startUp(home, { MUSTER_SWEEP_MS: '20' })
    for (const id of ids) await untilStatus(home, id, 'done')
    for (const id of ids) expect((await outcomesAndFailures(home, id)).outcomes).toEqual(['completed'])
  })

  test('a supervisor whose run was reclaimed changes nothing (scenarios 7, 8, 9)', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('taken', '--assignee', 'shell', '--body', 'touch begun')
    const claimed = await claimFor(home, card.id, null)
    const { runId, directory } = claimed
    const supervisor = (ticket: unknown) => {
      writeFileSync(directory.ticket, typeof ticket === 'string' ? ticket : JSON.stringify(ticket))
      const child = spawn(process.execPath, [join(BIN, '../supervisor.js'), directory.path], {
        env: home.env,
        stdio: 'ignore',
      })
      return new Promise((resolve) => child.once('exit', resolve))
    }
    const before = await (await home.store()).exportAll()
    const ticket = ticketFor(home, card.id, runId)
    for (const wrong of [
      '',
      '{',
      { ...ticket, run: newRunId() },
      { ...ticket, token: 'another' },
      { ...ticket, board: 'other' },
    ])
      expect(await supervisor(wrong)).toBe(0)
    expect(await (await home.store()).exportAll()).toEqual(before)
    expect(existsSync(home.workspace(card.id, 'begun'))).toBe(false)
    await registerDead(home, claimed)
  })

  test('with a start deadline of 0, a failed start is reported at once (scenario 22)', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('at once', '--assignee', 'shell', '--body', 'true')
    await home.setBoard({ startDeadlineMs: 0, retryBaseMs: HOUR })
    await claimFor(home, card.id, null)
    // The dispatcher that claimed the run is no longer active, so the failure is not counted.
    expect((await home.dispatch()).interrupted).toMatchObject([{ id: card.id, outcome: 'interrupted' }])
  })

  test('a verdict that is missing in the store is read from the verdict file', async () => {
    const home = makeTestHome(engine)
    const { card, run, supervisor, directory } = await startWaitingCard(home)
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    await writeVerdict(directory, fenceOf(run), { kind: 'block', reason: 'which colour?', blockKind: 'needs_input' })
    await home.dispatch()
    expect(await home.show(card.id)).toMatchObject({ status: 'blocked', blockReason: 'which colour?' })
  })
})

// These tests do not depend on the engine.
describe('starts', () => {
  test('a card whose worker exits at once is done, without later events (scenario 6)', async () => {
    const home = makeTestHome('sqlite')
    const card = await home.create('quick', '--assignee', 'shell', '--body', 'exit 0')
    await home.dispatch('--wait')
    const shown = await home.show(card.id)
    expect(shown).toMatchObject({ status: 'done', currentRunId: null })
    expect(shown.events.map(({ kind }) => kind)).toEqual([
      'created',
      'claimed',
      'scratch_explained',
      'spawned',
      'completed',
    ])
  })

  test("an unrelated process with a supervisor's pid is never signalled (scenario 20)", async () => {
    const home = makeTestHome('sqlite')
    const card = await home.create('reused', '--assignee', 'shell', '--body', 'echo done', '--max-runtime', '1s')
    const stranger = startUnrelatedProcess()
    const identity = identify(host, stranger)
    if (identity === null) throw new Error('the stranger did not start')
    await claimFor(home, card.id, { ...identity, startTime: '1' })
    await home.dispatch('--wait')
    expect(isGone(stranger)).toBe(false)
    expect(await outcomesAndFailures(home, card.id)).toEqual({
      outcomes: ['interrupted', 'completed'],
      consecutiveFailures: 0,
    })
  })

  test('the result of an earlier attempt does not affect a retry (scenario 21)', async () => {
    const home = makeTestHome('sqlite')
    const card = await home.create('retry', '--assignee', 'shell', '--body', 'exit 1')
    await home.setBoard({ retryBaseMs: 1 })
    await home.dispatch('--wait')
    const claimed = await claimFor(home, card.id, null)
    const report = await home.dispatch()
    expect([...report.settled, ...report.interrupted]).toEqual([])
    expect((await outcomesAndFailures(home, card.id)).outcomes).toEqual(['crashed', null])
    await registerDead(home, claimed)
  })

  test('a run uses its own copy of the program, which is deleted when no run needs it', async () => {
    const home = makeTestHome('sqlite')
    const { card, run, supervisor } = await startWaitingCard(home)
    const lib = join(home.home, 'lib')
    expect(readdirSync(lib)).toEqual([run.libVersion])
    expect(readdirSync(join(lib, run.libVersion ?? '')).toSorted()).toEqual([
      'acp.js',
      'bin',
      'files.js',
      'mcp.js',
      'sqlite.node',
      'supervisor.js',
      'supervisor.js.cache',
      'supervisor.js.code',
    ])
    const started = process.platform === 'linux' ? readFileSync(`/proc/${supervisor}/cmdline`, 'utf8') : lib
    expect(started).toContain(lib)
    mkdirSync(join(lib, '0.0.0-old'))
    finish(home, card.id)
    await untilStatus(home, card.id, 'done')
    await home.create('next', '--assignee', 'shell', '--body', 'true')
    await home.dispatch('--wait')
    expect(readdirSync(lib)).toEqual([run.libVersion])
  })
})

/** The ticket that a dispatcher writes for the supervisor of a run. */
const ticketFor = (home: TestHome, task: TaskId, run: RunId) => ({
  version: 1,
  home: home.home,
  store: home.env['MUSTER_STORE'] ?? join(home.home, 'muster.db'),
  board: 'default',
  task,
  run,
  token: 'none',
  agent: 'shell',
  harness: 'shell',
  completesOnExit: true,
  passEnvironment: [],
  terminateGraceMs: 200,
  killWaitMs: 5_000,
  logMaxBytes: 1_000_000,
})
