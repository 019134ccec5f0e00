// Tests other machines, changed clocks, sleep, reboots and full disks, with real processes on a system that the test
// alters.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { groupMembers } from '../../src/processes/group.ts'
import { identify } from '../../src/processes/identity.ts'
import { BIN, appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import { ENGINES, SURFACE_ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'
import { finish, startUp, untilStatus } from '../helpers/run-cards.ts'
import {
  HOUR,
  WAITS_ONCE,
  endLease,
  finishInOneRun,
  host,
  outcomesAndFailures,
  processes,
  startWaitingCard,
} from './live-runs.ts'

describe.each(SURFACE_ENGINES)('changed machines (%s)', (engine) => {
  test('a live supervisor keeps its run after its lease ends (scenario 12)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const { card, run } = await startWaitingCard(home)
    world.set({ clockOffsetMs: 10 * 60_000 })
    expect((await home.dispatch()).interrupted).toEqual([])
    expect(isLiving(run)).toBe(true)
    await finishInOneRun(home, card.id)
  })

  test('a clock set two hours forward and three back ends no run (scenario 65)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const up = startUp(home, { MUSTER_CLOCK_DOUBT_MS: '300' })
    const card = await home.create('waits', '--assignee', 'shell', '--max-runtime', '1h', '--body', WAITS_ONCE)
    const { run } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
    for (const clockOffsetMs of [2 * HOUR, -HOUR]) {
      world.set({ clockOffsetMs })
      const mark = await home.create('a card to be seen', '--assignee', 'shell', '--body', 'true')
      await untilStatus(home, mark.id, 'done')
      expect(isLiving(run)).toBe(true)
    }
    expect(up.child.exitCode).toBeNull()
    finish(home, card.id)
    await untilStatus(home, card.id, 'done')
    const shown = await home.show(card.id)
    expect(shown.runs).toMatchObject([{ attempt: 1, outcome: 'completed' }])
    for (const { startedAt, endedAt } of shown.runs) expect((endedAt ?? 0) - startedAt).toBeGreaterThanOrEqual(0)
  })

  test('after sleep, live runs continue and dead runs are recovered (scenario 67)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const lives = await startWaitingCard(home)
    const dies = await startWaitingCard(home)
    const all = [lives, dies].flatMap(({ supervisor, key }) => [
      supervisor,
      ...groupMembers(processes, key).map(({ pid }) => pid),
    ])
    for (const pid of all) processes.signal(pid, 'SIGSTOP')
    world.set({ clockOffsetMs: 8 * HOUR })
    process.kill(dies.supervisor, 'SIGKILL')
    await home.until('it is dead', () => !isLiving(dies.run))
    for (const pid of all) processes.signal(pid, 'SIGCONT')
    startUp(home)
    await untilStatus(home, dies.card.id, 'done')
    expect(isLiving(lives.run)).toBe(true)
    await finishInOneRun(home, lives.card.id)
    expect(await outcomesAndFailures(home, dies.card.id)).toEqual({
      outcomes: ['interrupted', 'completed'],
      consecutiveFailures: 0,
    })
  })
})

describe.each(ENGINES)('containers (%s)', (engine) => {
  test('runs of another container are kept until their lease ends (scenario 66)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const { card, run, supervisor, key } = await startWaitingCard(home)
    home.env['MUSTER_CLOCK_DOUBT_MS'] = '1'
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    world.set({ pidNamespace: '4026532999' })
    expect(await home.dispatch()).toMatchObject({ interrupted: [], started: [] })
    world.set({ clockOffsetMs: HOUR })
    // A store in a file uses the clock of the machine. On a server, a dispatcher must first observe that the lease is
    // not renewed.
    if (engine === 'sqlite') {
      // The first pass notices the changed clock and makes no decision for a while.
      await home.dispatch()
      await home.dispatch()
    } else {
      await home.setBoard({ leaseMs: 1_000 })
      await endLease(home, run.id)
      startUp(home)
    }
    await home.until('the run is closed', async () => (await (await home.store()).run(run.id))?.endedAt != null)
    expect((await home.show(card.id)).runs[0]).toMatchObject({ id: run.id, outcome: 'interrupted' })
    // The test ends the agent, because the dispatcher of another container cannot end it.
    for (const { pid } of groupMembers(processes, key)) processes.signal(pid, 'SIGKILL')
  })
})

/** Returns two machines with the same id on one store. */
function makeTwins() {
  const home = makeTestHome('postgres')
  const clone = { ...home, home: join(home.home, 'clone', 'home'), env: { ...home.env } }
  mkdirSync(join(home.home, 'clone'), { recursive: true })
  alterWorld(home).set({ systemId: 'cloned', bootId: 'boot-1', hostname: 'first' })
  alterWorld(clone).set({ systemId: 'cloned', bootId: 'boot-2', hostname: 'second' })
  return { home, clone }
}

test('a second machine with the same id is refused with a message that names both', async () => {
  const { home, clone } = makeTwins()
  const { card, run } = await startWaitingCard(home)
  const first = startUp(home)
  await home.until('the first dispatcher is active', () => first.output().includes('Running cards'))
  const second = home.start(['up'], { env: { ...clone.env, MUSTER_SWEEP_MS: '200' } })
  const { code, stderr } = await second.ended
  expect(code).toBe(4)
  for (const words of ['Two machines use the id', 'second', 'first', '/etc/machine-id']) expect(stderr).toContain(words)
  expect(isLiving({ ...run, identity: identify(host, run.identity?.pid ?? 0) })).toBe(true)
  await finishInOneRun(home, card.id)
})

test('separate passes on two machines with one id start cards on only one', async () => {
  const { home, clone } = makeTwins()
  const passOn = async ({ env }: { env: NodeJS.ProcessEnv }) => home.start(['dispatch', '--json'], { env }).ended
  await home.create('makes the board', '--assignee', 'nobody')
  expect((await passOn(home)).code).toBe(0)
  expect((await passOn(clone)).code).toBe(0)
  const card = await home.create('one', '--assignee', 'shell', '--body', 'true')
  const { code, stderr } = await passOn(home)
  expect(code).toBe(4)
  for (const words of ['machine_id_shared', 'this one (first)', 'another (second', '/etc/machine-id'])
    expect(stderr).toContain(words)
  expect((await home.show(card.id)).runs).toEqual([])
  expect((await passOn(clone)).code).toBe(0)
  await untilStatus(home, card.id, 'done')
})

// These tests do not depend on the engine.
describe('machines', () => {
  // This test is only for SQLite: on a server, another machine cannot take over the card while its supervisor lives.
  // The contract suite tests stale fences on a server.
  test('writes are refused from a worker whose card another machine took over (scenarios 10, 11)', async () => {
    const home = makeTestHome('sqlite')
    const world = alterWorld(home)
    const says = ['heartbeat $MUSTER_TASK', 'block $MUSTER_TASK stuck', 'complete $MUSTER_TASK --summary mine']
    const say = says.map((words) => `${process.execPath} ${BIN} ${words}; echo $? >>codes`).join('; ')
    const first = `touch begun; while [ ! -e go ]; do sleep 0.2; done; ${say}; touch said; sleep 600`
    const second = 'touch second; while [ ! -e on ]; do sleep 0.2; done; echo second'
    const body = `echo try >>tries; if [ "$(wc -l <tries)" = 1 ]; then ${first}; else ${second}; fi`
    const { card, directory, run, key } = await startWaitingCard(home, body)

    world.set({ systemId: 'another machine', clockOffsetMs: HOUR })
    expect(await home.dispatch()).toMatchObject({ interrupted: [{ runId: run.id }], started: [{ attempt: 2 }] })
    await home.until('the second has begun', () => appeared(home.workspace(card.id, 'second')))
    finish(home, card.id)
    await home.until('the first has sent its verdicts', () => appeared(home.workspace(card.id, 'said')))
    expect(readFileSync(home.workspace(card.id, 'codes'), 'utf8')).toBe('4\n4\n4\n')
    utimesSync(directory.nudge, new Date(), new Date())
    await home.until('the first is gone', () => groupMembers(processes, key).length === 0 && !isLiving(run))

    const shown = await home.show(card.id)
    expect(shown).toMatchObject({ status: 'running', consecutiveFailures: 0, blockReason: null })
    expect(shown.events.filter(({ kind }) => kind === 'late_result').length).toBeGreaterThanOrEqual(2)
    writeFileSync(home.workspace(card.id, 'on'), '')
    await untilStatus(home, card.id, 'done')
    expect(await home.show(card.id)).toMatchObject({ result: 'second' })
  })

  test('a reboot interrupts every run and signals no pid (scenario 66)', async () => {
    const home = makeTestHome('sqlite')
    const world = alterWorld(home)
    world.set({ bootId: 'boot-1' })
    const { card, run, supervisor, key } = await startWaitingCard(home)

    world.set({ hostname: 'renamed' })
    expect((await home.dispatch()).interrupted).toEqual([])

    // A reboot ends the old supervisor. Its agent stays alive and takes the place of an unrelated process with a reused
    // pid.
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving({ ...run, identity: identify(host, supervisor) }))
    world.set({ bootId: 'boot-2' })
    home.env['MUSTER_MACHINE_CAP'] = '1'
    expect((await home.dispatch('--wait')).interrupted).toMatchObject([{ id: card.id, runId: run.id }])
    expect(groupMembers(processes, key).length).toBeGreaterThan(0)
    expect(await outcomesAndFailures(home, card.id)).toEqual({
      outcomes: ['interrupted', 'completed'],
      consecutiveFailures: 0,
    })
    for (const { pid } of groupMembers(processes, key)) processes.signal(pid, 'SIGKILL')
  })

  test.each(['full', 'over_quota'] as const)(
    'no run starts or ends on a disk that is %s (scenario 64)',
    async (disk) => {
      const home = makeTestHome('sqlite')
      const world = alterWorld(home)
      const { card, run } = await startWaitingCard(home)
      const next = await home.create('next', '--assignee', 'shell', '--body', 'true')
      world.set({ disk })
      const { code, stderr } = await home.muster('dispatch', '--json')
      expect(code).not.toBe(0)
      expect(stderr).toContain('disk_full')
      expect(isLiving(run)).toBe(true)
      expect(await home.show(next.id)).toMatchObject({ consecutiveFailures: 0, runs: [] })
      world.set({ disk: 'writable' })
      finish(home, card.id)
      startUp(home)
      await untilStatus(home, card.id, 'done')
      await untilStatus(home, next.id, 'done')
    },
  )
})
