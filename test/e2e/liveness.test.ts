// Who is alive, who must end and who ends it: real processes, real signals, and a world that the test moves.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { RunId, TaskId } from '../../src/core/ids.ts'
import type { Fence, Identity, Run } from '../../src/core/run.ts'
import { parseLocation } from '../../src/storage/location.ts'
import { connectClient } from '../../src/storage/postgres/client.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import { newRunId } from '../../src/util/mint.ts'
import { groupMembers } from '../../src/workers/group.ts'
import { identify, ownIdentity, thisHost } from '../../src/workers/identity.ts'
import { makeRunDirectory } from '../../src/workers/run-directory.ts'
import { writeVerdict } from '../../src/workers/verdict-file.ts'
import { readLeader } from '../../src/workers/wrapper.ts'
import { BIN, appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { clockwork } from '../helpers/sample.ts'
import { ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'

const host = thisHost()
const { processes } = host
const HOUR = 3_600_000

/** Says that it runs, then waits for a word. */
const WAITS = 'echo begun; touch begun; while [ ! -e go ]; do sleep 0.02; done'
/** The first attempt waits; the next is done at once. */
const WAITS_ONCE = `echo try >>tries; [ "$(wc -l <tries)" -gt 1 ] || { ${WAITS}; }; echo done`

const fenceOf = (run: Run): Fence => ({ runId: run.id, tokenHash: run.tokenHash ?? '' })
const isGone = (pid: number): boolean => processes.read(pid)?.zombie ?? true
const numberIn = (path: string): number => (appeared(path) ? Number(readFileSync(path, 'utf8')) : 0)

/** A dispatcher that goes on, quick to look. */
function startUp(home: TestHome, env: NodeJS.ProcessEnv = {}) {
  return home.start(['up'], {
    env: { MUSTER_SWEEP_MS: '50', MUSTER_DISPATCHER_LEASE_MS: '1500', ...env },
  })
}

/** A card whose agent has begun to wait. */
async function begin(home: TestHome, body = WAITS_ONCE, ...flags: string[]) {
  const card = await home.create('waits', '--assignee', 'shell', '--body', body, ...flags)
  await home.dispatch()
  const live = await home.liveRun(card.id)
  await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
  const leader = await home.until('the wrapper is known', () => readLeader(live.directory, fenceOf(live.run)))
  return { ...live, card, key: { run: live.run.id, leader } }
}

const finish = (home: TestHome, id: TaskId) => writeFileSync(home.workspace(id, 'go'), '')

const untilStatus = (home: TestHome, id: TaskId, status: string) =>
  home.until(`${id} is ${status}`, async () => (await (await home.store()).task('default', id))?.status === status)

async function outcomes(home: TestHome, id: TaskId) {
  const { runs, consecutiveFailures } = await home.show(id)
  return { outcomes: runs.map(({ outcome }) => outcome), consecutiveFailures }
}

/** A run as a claim leaves it, with whom it names as its supervisor. */
async function claimFor(home: TestHome, task: TaskId, identity: Identity | null, dispatcher = ownIdentity(host)) {
  const store = await home.store()
  const { machine } = dispatcher
  const address = { board: 'default', actor: clockwork } as const
  const lead = { machine, tokenHash: 'lead', identity: dispatcher, leaseMs: 60_000 }
  unwrap(await store.decide({ ...address, verb: 'lead_dispatch', input: lead }))
  const runId = newRunId()
  const fence = { runId, tokenHash: 'claim' }
  const claim = { task, ...fence, agent: 'shell', machine, dispatcher, dispatcherTokenHash: 'lead' }
  unwrap(await store.decide({ ...address, verb: 'claim', input: claim }))
  const directory = await makeRunDirectory(home.home, runId)
  if (identity !== null)
    unwrap(
      await store.decide({
        ...address,
        verb: 'register',
        input: { task, fence, identity, logPath: directory.log, workspacePath: null },
      }),
    )
  unwrap(await store.decide({ ...address, verb: 'leave_dispatch', input: { machine, tokenHash: 'lead' } }))
  return { task, runId, fence, directory }
}

/** Nobody will come for this run any more: the end of the test need not wait for them. */
async function registerDead(home: TestHome, { task, fence }: Awaited<ReturnType<typeof claimFor>>): Promise<void> {
  const input = { task, fence, identity: { ...ownIdentity(host), startTime: '0' } }
  unwrap(await (await home.store()).decide({ board: 'default', actor: clockwork, verb: 'register', input }))
}

/** Holds the store as another writer would. */
async function lockStore(home: TestHome): Promise<{ release(): Promise<void> }> {
  const location = parseLocation(home.env['MUSTER_STORE'] ?? join(home.home, 'muster.db'))
  if (location.engine === 'sqlite') {
    const connection = connect(location.path, 'rw')
    connection.exec('begin immediate')
    return {
      release: async () => {
        connection.exec('rollback')
        await connection.close()
      },
    }
  }
  const client = connectClient({ ...location, connections: 1, readOnly: false })
  await client.unsafe(`begin; lock table ${location.schema}.run in access exclusive mode`)
  return {
    release: async () => {
      await client.unsafe('rollback')
      await client.end()
    },
  }
}

/** Like `home.until`, without asking the store. */
const until = (look: () => boolean) => vi.waitFor(() => expect(look()).toBe(true), { timeout: 20_000, interval: 50 })

/** Somebody else's process. */
function startStranger(): number {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

describe.each(ENGINES)('liveness (%s)', (engine) => {
  test('a dispatcher killed between claim and start: the attempt is closed within the deadline, uncounted (scenario 4)', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('never', '--assignee', 'shell', '--body', 'echo done')
    await home.shrink({ startDeadlineMs: 300 })
    await claimFor(home, card.id, null, { ...ownIdentity(host), startTime: '0' })
    await home.shrink({ startDeadlineMs: 30_000 })
    startUp(home)
    await untilStatus(home, card.id, 'done')
    expect(await outcomes(home, card.id)).toEqual({ outcomes: ['interrupted', 'completed'], consecutiveFailures: 0 })
  })

  test('a dispatcher killed right after the start: the next one knows the live supervisor (scenario 5)', async () => {
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
    expect(await outcomes(home, card.id)).toEqual({ outcomes: ['completed'], consecutiveFailures: 0 })
  })

  test('a worker that is done at once stays done: nothing is said of it afterwards (scenario 6)', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('quick', '--assignee', 'shell', '--body', 'exit 0')
    await home.dispatch('--wait')
    const shown = await home.show(card.id)
    expect(shown).toMatchObject({ status: 'done', currentRunId: null })
    expect(shown.events.map(({ kind }) => kind)).toEqual(['created', 'claimed', 'spawned', 'completed'])
  })

  test('a supervisor whose run was taken away before it came leaves no trace (scenarios 7, 8, 9)', async () => {
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

  test('a supervisor that is stopped: its agent ends, nobody is blamed, the card runs again', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    await home.shrink({ leaseMs: 2_000 })
    const { card, run, supervisor, key } = await begin(home)
    startUp(home)
    process.kill(supervisor, 'SIGSTOP')
    await untilStatus(home, card.id, 'done')
    expect(groupMembers(processes, key)).toEqual([])
    expect(isLiving(run)).toBe(false)
    const { outcomes: all, consecutiveFailures } = await outcomes(home, card.id)
    expect([all[0], all.at(-1), consecutiveFailures]).toEqual(['interrupted', 'completed', 0])
  })

  test.runIf(engine === 'postgres')(
    'where other machines may claim, a watchdog ends the agent of a stopped supervisor by itself',
    async () => {
      const home = makeTestHome(engine)
      await home.create('makes the board', '--assignee', 'nobody')
      await home.shrink({ leaseMs: 2_000 })
      const daemon = `(setsid sh -c 'trap "" TERM; echo $$ >daemon; while :; do sleep 0.1; done' &)`
      const { card, run, supervisor, key, directory } = await begin(home, `${daemon}; ${WAITS}`)
      const daemonPid = await home.until('the daemon has begun', () => numberIn(home.workspace(card.id, 'daemon')))
      process.kill(supervisor, 'SIGSTOP')
      await home.until('the agent is gone', () => groupMembers(processes, key).length === 0)
      expect(isGone(daemonPid)).toBe(true)
      expect(appeared(directory.exit)).toBe(false)
      // Nobody has settled the run yet; its own supervisor knows, when it wakes, that this was not the agent's end.
      process.kill(supervisor, 'SIGCONT')
      await untilStatus(home, card.id, 'ready')
      expect((await (await home.store()).run(run.id))?.outcome).toBe('interrupted')
      expect((await home.show(card.id)).consecutiveFailures).toBe(0)
    },
  )

  test.runIf(engine === 'postgres')(
    'a supervisor that cannot reach its server ends its agent before another machine may start one',
    async () => {
      const home = makeTestHome(engine)
      await home.create('makes the board', '--assignee', 'nobody')
      await home.shrink({ leaseMs: 2_000 })
      const { card, run, key } = await begin(home)
      const lock = await lockStore(home)
      await until(() => groupMembers(processes, key).length === 0)
      await lock.release()
      await untilStatus(home, card.id, 'ready')
      expect(await (await home.store()).run(run.id)).toMatchObject({ outcome: 'interrupted' })
      expect((await home.show(card.id)).consecutiveFailures).toBe(0)
    },
  )

  test("a worker whose run is another machine's by now is refused, whatever it says (scenarios 10, 11)", async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const says = ['heartbeat $MUSTER_TASK', 'block $MUSTER_TASK stuck', 'complete $MUSTER_TASK --summary mine']
    const say = says.map((words) => `${process.execPath} ${BIN} ${words}; echo $? >>codes`).join('; ')
    const first = `touch begun; while [ ! -e go ]; do sleep 0.02; done; ${say}; touch said; sleep 600`
    const second = 'touch second; while [ ! -e on ]; do sleep 0.02; done; echo second'
    const body = `echo try >>tries; if [ "$(wc -l <tries)" = 1 ]; then ${first}; else ${second}; fi`
    const { card, directory, run, key } = await begin(home, body)

    world.set({ systemId: 'another machine', clockOffsetMs: HOUR })
    expect(await home.dispatch()).toMatchObject({ interrupted: [{ runId: run.id }], started: [{ attempt: 2 }] })
    await home.until('the second has begun', () => appeared(home.workspace(card.id, 'second')))
    finish(home, card.id)
    await home.until('the first has spoken', () => appeared(home.workspace(card.id, 'said')))
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

  test('a store that another writer holds delays everything and loses nothing (scenario 63)', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    // A server's lease must outlast the lock; an embedded one may lapse, since nobody else can claim.
    await home.shrink({ leaseMs: engine === 'postgres' ? 20_000 : 1_000 })
    const ticks = 'while [ ! -e go ]; do echo >>ticks; sleep 0.1; done'
    const body = `echo try >>tries; touch begun; ${ticks}; echo done`
    const { card, run } = await begin(home, body)
    const up = startUp(home, { MUSTER_DISPATCHER_LEASE_MS: '300' })
    await home.until('it dispatches', () => up.output().includes('Dispatching'))
    const next = await home.create('next', '--assignee', 'nobody')
    const lock = await lockStore(home)
    const ticked = () => readFileSync(home.workspace(card.id, 'ticks'), 'utf8').length
    const before = ticked()
    await until(() => ticked() >= before + 25)
    await lock.release()
    expect(isLiving(run)).toBe(true)
    expect((await home.muster('assign', next.id, 'shell')).code).toBe(0)
    finish(home, card.id)
    await untilStatus(home, card.id, 'done')
    expect(await outcomes(home, card.id)).toEqual({ outcomes: ['completed'], consecutiveFailures: 0 })
  })

  test('a supervisor stopped while its agent ended by itself: how it ended counts', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    await home.shrink({ leaseMs: 2_000 })
    const { card, supervisor, directory } = await begin(home, `${WAITS}; echo by itself`)
    process.kill(supervisor, 'SIGSTOP')
    finish(home, card.id)
    await home.until('the wrapper has written how it ended', () => appeared(directory.exit))
    startUp(home)
    await untilStatus(home, card.id, 'done')
    expect(await home.show(card.id)).toMatchObject({ result: 'begun\nby itself', runs: [{ outcome: 'completed' }] })
  })

  test('a lease that is over prompts a look, and a live supervisor keeps its run (scenario 12)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const { card, run } = await begin(home)
    world.set({ clockOffsetMs: 10 * 60_000 })
    expect((await home.dispatch()).interrupted).toEqual([])
    expect(isLiving(run)).toBe(true)
    finish(home, card.id)
    await untilStatus(home, card.id, 'done')
    expect((await outcomes(home, card.id)).outcomes).toEqual(['completed'])
  })

  test('a clock set two hours forward and three back kills nobody (scenario 65)', async () => {
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

  test('a machine that sleeps: who lives keeps its run, who died is found (scenario 67)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const lives = await begin(home)
    const dies = await begin(home)
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
    finish(home, lives.card.id)
    await untilStatus(home, lives.card.id, 'done')
    expect((await outcomes(home, lives.card.id)).outcomes).toEqual(['completed'])
    expect(await outcomes(home, dies.card.id)).toEqual({
      outcomes: ['interrupted', 'completed'],
      consecutiveFailures: 0,
    })
  })

  test('after a reboot every run is dead and no pid is signalled; another host name changes nothing (scenario 66)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    world.set({ bootId: 'boot-1' })
    const { card, run, supervisor, key } = await begin(home)

    world.set({ hostname: 'renamed' })
    expect((await home.dispatch()).interrupted).toEqual([])

    // The old supervisor cannot live on after a reboot; its agent stands for a stranger with an old pid.
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving({ ...run, identity: identify(host, supervisor) }))
    world.set({ bootId: 'boot-2' })
    home.env['MUSTER_MACHINE_CAP'] = '1'
    expect((await home.dispatch('--wait')).interrupted).toMatchObject([{ id: card.id, runId: run.id }])
    expect(groupMembers(processes, key).length).toBeGreaterThan(0)
    expect(await outcomes(home, card.id)).toEqual({ outcomes: ['interrupted', 'completed'], consecutiveFailures: 0 })
    for (const { pid } of groupMembers(processes, key)) processes.signal(pid, 'SIGKILL')
  })

  test('another container is another machine: its runs are left until their lease is over (scenario 66)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const { card, run, supervisor } = await begin(home)
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    world.set({ pidNamespace: '4026532999' })
    expect(await home.dispatch()).toMatchObject({ interrupted: [], started: [] })
    world.set({ clockOffsetMs: HOUR })
    expect((await home.dispatch()).interrupted).toMatchObject([{ id: card.id, runId: run.id }])
  })

  test.runIf(engine === 'sqlite')(
    'a stranger with the pid of a supervisor is never signalled (scenario 20)',
    async () => {
      const home = makeTestHome(engine)
      const card = await home.create('reused', '--assignee', 'shell', '--body', 'echo done', '--max-runtime', '1s')
      const stranger = startStranger()
      const identity = identify(host, stranger)
      if (identity === null) throw new Error('the stranger did not start')
      await claimFor(home, card.id, { ...identity, startTime: '1' })
      await home.dispatch('--wait')
      expect(isGone(stranger)).toBe(false)
      expect(await outcomes(home, card.id)).toEqual({ outcomes: ['interrupted', 'completed'], consecutiveFailures: 0 })
    },
  )

  test('the start of a retry is not judged by the attempt before it (scenario 21)', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('retry', '--assignee', 'shell', '--body', 'exit 1')
    await home.shrink({ retryBaseMs: 1 })
    await home.dispatch('--wait')
    const claimed = await claimFor(home, card.id, null)
    const report = await home.dispatch()
    expect([...report.settled, ...report.interrupted]).toEqual([])
    expect((await outcomes(home, card.id)).outcomes).toEqual(['crashed', null])
    await registerDead(home, claimed)
  })

  test('with no time to start, a start that failed is told at once (scenario 22)', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('at once', '--assignee', 'shell', '--body', 'true')
    await home.shrink({ startDeadlineMs: 0, retryBaseMs: HOUR })
    await claimFor(home, card.id, null)
    expect((await home.dispatch()).settled).toMatchObject([{ id: card.id, outcome: 'spawn_failed' }])
  })

  test('what cannot be killed keeps its place and its card, and is told once (scenario 17)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    home.env['MUSTER_KILL_WAIT_MS'] = '200'
    home.env['MUSTER_MACHINE_CAP'] = '1'
    const { card, supervisor, run } = await begin(home, WAITS_ONCE)
    const other = await home.create('waits for the place', '--assignee', 'shell', '--body', 'true')
    world.set({ signals: 'lost' })
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    startUp(home)
    const told = async () =>
      (await (await home.store()).taskEvents('default', card.id)).filter(({ kind }) => kind === 'termination_deferred')
    await home.until('it is told', async () => (await told()).length > 0)
    expect((await home.muster('dispatch', '--json')).code).not.toBe(0)
    expect(await told()).toHaveLength(1)
    expect(await home.show(card.id)).toMatchObject({ status: 'running', currentRunId: run.id })
    expect((await home.show(other.id)).status).toBe('ready')
    world.set({ signals: 'delivered' })
    await untilStatus(home, card.id, 'done')
    await untilStatus(home, other.id, 'done')
    expect(await outcomes(home, card.id)).toEqual({ outcomes: ['interrupted', 'completed'], consecutiveFailures: 0 })
  })

  test.runIf(engine === 'sqlite')(
    'a group that does not heed the request is dead before its card goes on (scenario 18)',
    async () => {
      const home = makeTestHome(engine)
      const deaf = `(trap '' TERM; echo $$ >>deaf; while :; do sleep 0.1; done) &`
      const body = `${deaf} ${deaf} sleep 600 & touch begun; wait`
      const card = await home.create('deaf', '--assignee', 'shell', '--max-runtime', '1s', '--body', body)
      await home.dispatch()
      const { run, directory } = await home.liveRun(card.id)
      const leader = await home.until('the wrapper is known', () => readLeader(directory, fenceOf(run)))
      await home.until('the run is over', async () => (await (await home.store()).run(run.id))?.endedAt ?? null)
      expect(groupMembers(processes, { run: run.id, leader })).toEqual([])
      expect(await outcomes(home, card.id)).toEqual({ outcomes: ['timed_out'], consecutiveFailures: 1 })
    },
  )

  test.runIf(engine === 'sqlite' && process.platform === 'linux')(
    'a daemon that left its session is found by its environment and ended too (scenario 19)',
    async () => {
      const home = makeTestHome(engine)
      const daemon = `(setsid sh -c 'echo $$ >daemon; exec sleep 600' &)`
      const card = await home.create(
        'daemon',
        '--assignee',
        'shell',
        '--max-runtime',
        '1s',
        '--body',
        `${daemon}; ${WAITS}`,
      )
      await home.dispatch('--wait')
      expect(isGone(numberIn(home.workspace(card.id, 'daemon')))).toBe(true)
      expect((await outcomes(home, card.id)).outcomes).toEqual(['timed_out'])
    },
  )

  test('a word to a stopped supervisor is carried out by the dispatcher', async () => {
    const home = makeTestHome(engine)
    const { card, supervisor, key } = await begin(home)
    process.kill(supervisor, 'SIGSTOP')
    startUp(home, { MUSTER_TAKE_OVER_MS: '200' })
    const { code } = await home.muster('block', card.id, 'not now', '--json')
    expect(code).toBe(0)
    expect(groupMembers(processes, key)).toEqual([])
    expect(await home.show(card.id)).toMatchObject({ status: 'blocked', runs: [{ outcome: 'blocked' }] })
  })

  test('an agent that says nothing for too long is stale, which counts against nobody; one that prints is not (scenario 15)', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    await home.shrink({ leaseMs: 2_000, staleMs: 1_500 })
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
    expect(await outcomes(home, silent.id)).toEqual({ outcomes: ['stale', 'completed'], consecutiveFailures: 0 })
    expect((await outcomes(home, talks.id)).outcomes).toEqual(['completed'])
  })

  test('a verdict that the store did not hear is found in its file', async () => {
    const home = makeTestHome(engine)
    const { card, run, supervisor, directory } = await begin(home)
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    await writeVerdict(directory, fenceOf(run), { kind: 'block', reason: 'which colour?', blockKind: 'needs_input' })
    await home.dispatch()
    expect(await home.show(card.id)).toMatchObject({ status: 'blocked', blockReason: 'which colour?' })
  })

  test.runIf(engine === 'sqlite')(
    'a run goes on from its own copy of the code, which goes when no run needs it',
    async () => {
      const home = makeTestHome(engine)
      const { card, run, supervisor } = await begin(home)
      const lib = join(home.home, 'lib')
      expect(readdirSync(lib)).toEqual([run.libVersion])
      expect(readdirSync(join(lib, run.libVersion ?? '')).toSorted()).toEqual([
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
    },
  )

  test('a full disk starts nothing and ends nobody (scenario 64)', async () => {
    const home = makeTestHome(engine)
    const world = alterWorld(home)
    const { card, run } = await begin(home)
    const next = await home.create('next', '--assignee', 'shell', '--body', 'true')
    world.set({ disk: 'full' })
    const { code, stderr } = await home.muster('dispatch', '--json')
    expect(code).not.toBe(0)
    expect(stderr).toContain('disk_full')
    expect(isLiving(run)).toBe(true)
    expect((await home.show(next.id)).consecutiveFailures).toBe(0)
    world.set({ disk: 'writable' })
    finish(home, card.id)
    startUp(home)
    await untilStatus(home, card.id, 'done')
    await untilStatus(home, next.id, 'done')
  })
})

/** What a dispatcher writes for a supervisor. */
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
