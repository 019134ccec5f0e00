// Tests with real processes and signals how dead, stopped and hanging processes are noticed and ended.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { groupMembers } from '../../src/processes/group.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { readLeader } from '../../src/runs/wrapper.ts'
import { appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import { ENGINES, SURFACE_ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'
import { WAITS, finish, isGone, numberIn, startUp, untilStatus } from '../helpers/run-cards.ts'
import {
  WAITS_ONCE,
  fenceOf,
  finishInOneRun,
  lockStore,
  outcomesAndFailures,
  pollUntil,
  processes,
  shortLease,
  startWaitingCard,
} from './live-runs.ts'

describe.each(ENGINES)('liveness (%s)', (engine) => {
  test('a hung supervisor and its agent are ended, and the card runs again', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    await home.setBoard(shortLease(engine))
    const { card, run, supervisor, key } = await startWaitingCard(home)
    startUp(home)
    process.kill(supervisor, 'SIGSTOP')
    await untilStatus(home, card.id, 'done')
    expect(groupMembers(processes, key)).toEqual([])
    expect(isLiving(run)).toBe(false)
    const { outcomes: all, consecutiveFailures } = await outcomesAndFailures(home, card.id)
    expect([all[0], all.at(-1), consecutiveFailures]).toEqual(['interrupted', 'completed', 0])
  })

  test.runIf(engine === 'postgres')(
    'with a server store, a watchdog ends the agent of a stopped supervisor',
    async () => {
      const home = makeTestHome(engine)
      await home.create('makes the board', '--assignee', 'nobody')
      await home.setBoard(shortLease(engine))
      const daemon = `(setsid sh -c 'trap "" TERM; echo $$ >daemon; while :; do sleep 0.1; done' &)`
      const { card, run, supervisor, key, directory } = await startWaitingCard(home, `${daemon}; ${WAITS}`)
      const daemonPid = await home.until('the daemon has begun', () => numberIn(home.workspace(card.id, 'daemon')))
      process.kill(supervisor, 'SIGSTOP')
      await home.until('the agent is gone', () => groupMembers(processes, key).length === 0)
      expect(isGone(daemonPid)).toBe(true)
      expect(appeared(directory.exit)).toBe(false)
      // The run is still open. When the supervisor continues, it finds that the watchdog ended the agent.
      process.kill(supervisor, 'SIGCONT')
      await untilStatus(home, card.id, 'ready')
      expect((await (await home.store()).run(run.id))?.outcome).toBe('interrupted')
      expect((await home.show(card.id)).consecutiveFailures).toBe(0)
    },
  )

  test.runIf(engine === 'postgres')('a supervisor that cannot reach its server ends its agent', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    await home.setBoard(shortLease(engine))
    const { card, run, key } = await startWaitingCard(home)
    const lock = await lockStore(home)
    await pollUntil(() => groupMembers(processes, key).length === 0)
    await lock.release()
    await untilStatus(home, card.id, 'ready')
    expect(await (await home.store()).run(run.id)).toMatchObject({ outcome: 'interrupted' })
    expect((await home.show(card.id)).consecutiveFailures).toBe(0)
  })

  test('no run is lost while another writer locks the store (scenario 63)', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    // On a server, the lease must last longer than the lock. On SQLite, an expired lease does no harm, because no other
    // machine can claim.
    await home.setBoard({ leaseMs: engine === 'postgres' ? 120_000 : 1_000 })
    const ticks = 'while [ ! -e go ]; do echo >>ticks; sleep 0.1; done'
    const body = `echo try >>tries; touch begun; ${ticks}; echo done`
    const { card, run } = await startWaitingCard(home, body)
    const up = startUp(home, { MUSTER_DISPATCHER_LEASE_MS: '300' })
    await home.until('it dispatches', () => up.output().includes('Running cards'))
    const next = await home.create('next', '--assignee', 'nobody')
    const lock = await lockStore(home)
    const ticked = () => readFileSync(home.workspace(card.id, 'ticks'), 'utf8').length
    const before = ticked()
    await pollUntil(() => ticked() >= before + 25)
    await lock.release()
    expect(isLiving(run)).toBe(true)
    expect((await home.muster('assign', next.id, 'shell')).code).toBe(0)
    await finishInOneRun(home, card.id)
  })
})

describe.each(SURFACE_ENGINES)('a stopped supervisor (%s)', (engine) => {
  test('an agent that exits while its supervisor is stopped keeps its outcome', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    await home.setBoard(shortLease(engine))
    const { card, supervisor, directory } = await startWaitingCard(home, `${WAITS}; echo by itself`)
    process.kill(supervisor, 'SIGSTOP')
    finish(home, card.id)
    await home.until('the wrapper has written the exit file', () => appeared(directory.exit))
    startUp(home)
    await untilStatus(home, card.id, 'done')
    expect(await home.show(card.id)).toMatchObject({ result: 'begun\nby itself', runs: [{ outcome: 'completed' }] })
  })

  test("the dispatcher applies a person's `block` if the supervisor is stopped", async () => {
    const home = makeTestHome(engine)
    // On a busy machine, the dispatcher may take longer than the command usually waits.
    home.env['MUSTER_INTENT_WAIT_MS'] = '60000'
    const { card, supervisor, key } = await startWaitingCard(home)
    process.kill(supervisor, 'SIGSTOP')
    startUp(home, { MUSTER_TAKE_OVER_MS: '200' })
    const { code } = await home.muster('block', card.id, 'not now', '--json')
    expect(code).toBe(0)
    expect(groupMembers(processes, key)).toEqual([])
    expect(await home.show(card.id)).toMatchObject({ status: 'blocked', runs: [{ outcome: 'blocked' }] })
  })
})

// These tests do not depend on the engine.
describe('ending agents', () => {
  test('a card stays running while a process of its run cannot be killed (scenario 17)', async () => {
    const home = makeTestHome('sqlite')
    const world = alterWorld(home)
    home.env['MUSTER_KILL_WAIT_MS'] = '200'
    home.env['MUSTER_MACHINE_CAP'] = '1'
    const { card, supervisor, run } = await startWaitingCard(home, WAITS_ONCE)
    const other = await home.create('waits for the place', '--assignee', 'shell', '--body', 'true')
    world.set({ signals: 'lost' })
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    // The lease is long, because a busy dispatcher would lose a short one to the pass below.
    startUp(home, { MUSTER_DISPATCHER_LEASE_MS: '60000' })
    const deferrals = async () =>
      (await (await home.store()).taskEvents('default', card.id)).filter(({ kind }) => kind === 'termination_deferred')
    await home.until('it is recorded', async () => (await deferrals()).length > 0)
    expect((await home.muster('dispatch', '--json')).code).not.toBe(0)
    expect(await deferrals()).toHaveLength(1)
    expect(await home.show(card.id)).toMatchObject({ status: 'running', currentRunId: run.id })
    expect((await home.show(other.id)).status).toBe('ready')
    world.set({ signals: 'delivered' })
    await untilStatus(home, card.id, 'done')
    await untilStatus(home, other.id, 'done')
    expect(await outcomesAndFailures(home, card.id)).toEqual({
      outcomes: ['interrupted', 'completed'],
      consecutiveFailures: 0,
    })
  })

  test('processes that ignore SIGTERM are dead before their run ends (scenario 18)', async () => {
    const home = makeTestHome('sqlite')
    const deaf = `(trap '' TERM; echo $$ >>deaf; while :; do sleep 0.1; done) &`
    const body = `${deaf} ${deaf} sleep 600 & touch begun; wait`
    const card = await home.create('deaf', '--assignee', 'shell', '--max-runtime', '2s', '--body', body)
    await home.dispatch('--wait')
    const [run] = await (await home.store()).runs('default', card.id)
    if (run?.logPath == null) throw new Error('it did not run')
    const leader = await readLeader(runDirectoryAt(join(run.logPath, '..')), fenceOf(run))
    expect(leader).not.toBeNull()
    expect(groupMembers(processes, { run: run.id, leader })).toEqual([])
    expect(await outcomesAndFailures(home, card.id)).toEqual({ outcomes: ['timed_out'], consecutiveFailures: 1 })
  })

  test.runIf(process.platform === 'linux')(
    'a daemon that left its session is found and ended too (scenario 19)',
    async () => {
      const home = makeTestHome('sqlite')
      const daemon = `(setsid sh -c 'echo $$ >daemon; exec sleep 600' &)`
      const { card } = await startWaitingCard(home, `${daemon}; ${WAITS}`, '--max-runtime', '4s')
      const pid = await home.until('the daemon has begun', () => numberIn(home.workspace(card.id, 'daemon')))
      await home.until('the run is over', async () => (await home.show(card.id)).currentRunId === null)
      expect(isGone(pid)).toBe(true)
      expect((await outcomesAndFailures(home, card.id)).outcomes).toEqual(['timed_out'])
    },
  )

  test('a silent agent becomes stale, which is not a failure (scenario 15)', async () => {
    const home = makeTestHome('sqlite')
    await home.create('makes the board', '--assignee', 'nobody')
    await home.setBoard({ leaseMs: 2_000, staleMs: 4_000 })
    const silent = await home.create('silent', '--assignee', 'shell', '--body', WAITS_ONCE)
    const talks = await home.create(
      'talks',
      '--assignee',
      'shell',
      '--body',
      'touch begun; while [ ! -e go ]; do echo still here; sleep 0.1; done; echo done',
    )
    startUp(home)
    const { run } = await home.liveRun(talks.id)
    await untilStatus(home, silent.id, 'done')
    expect(isLiving(run)).toBe(true)
    const { lastActivityAt, registeredAt } = (await (await home.store()).run(run.id)) ?? {}
    expect(lastActivityAt).toBeGreaterThan(registeredAt ?? 0)
    finish(home, talks.id)
    await untilStatus(home, talks.id, 'done')
    // On a busy machine, starting the agent may take so long that the run becomes stale again.
    const ends = await outcomesAndFailures(home, silent.id)
    expect([ends.consecutiveFailures, ends.outcomes[0], ends.outcomes.at(-1)]).toEqual([0, 'stale', 'completed'])
    expect((await outcomesAndFailures(home, talks.id)).outcomes).toEqual(['completed'])
  })
})
