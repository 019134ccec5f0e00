// A dispatcher that is alive and does nothing: every surface reports it.
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { ownIdentity } from '../../src/processes/identity.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'
import { begun, says, shell, up, WAITS } from './dispatching.ts'
import { claimFor, endLease, host, registerDead } from './live-runs.ts'

const codesOf = async (home: TestHome, id: TaskId): Promise<string[]> => {
  const { stdout } = await home.say('why', id, '--json')
  return (JSON.parse(stdout) as { reasons: { code: string }[] }).reasons.map(({ code }) => code)
}

const rulesOf = async (home: TestHome): Promise<string[]> => {
  const { stdout } = await home.say('doctor', '--json')
  return (JSON.parse(stdout) as { rule: string }[]).map(({ rule }) => rule)
}

/** Two machines on one server, each with its own home and identity. */
async function twoMachines(): Promise<readonly [TestHome, TestHome]> {
  const [one, two] = [makeTestHome('postgres'), makeTestHome('postgres')]
  two.env['MUSTER_STORE'] = one.env['MUSTER_STORE']
  alterWorld(one).set({ systemId: 'machine one' })
  alterWorld(two).set({ systemId: 'machine two' })
  for (const home of [one, two]) await home.muster('init')
  await one.shrink({ retryBaseMs: 1 })
  return [one, two]
}

describe.each(ENGINES)('a dispatcher that was stopped (%s)', (engine) => {
  test('why, doctor, create and dispatch --nudge report that it does not respond', async () => {
    const home = makeTestHome(engine)
    await home.say('init')
    const running = up(home)
    await says(home, running, 'Running cards')
    running.child.kill('SIGSTOP')
    const { id } = await shell(home, 'waits', 'true')
    await home.until('it is noticed', async () => (await codesOf(home, id)).includes('dispatcher_hung'))
    expect(await codesOf(home, id)).toEqual(['dispatcher_hung'])
    expect((await home.say('why', id)).stdout).toContain(`kill -9 ${running.child.pid}, then run: muster up`)
    expect(await rulesOf(home)).toEqual(['dispatcher_hung'])
    const created = await home.say('create', 'another', '--assignee', 'shell', '--body', 'true')
    expect(created.stderr).toContain(`Muster (pid ${running.child.pid}) has not responded since`)
    const nudged = await home.muster('dispatch', '--nudge')
    expect([nudged.code, nudged.stderr]).toEqual([1, expect.stringContaining('is not responding')])
    running.child.kill('SIGCONT')
    await home.until('it goes on', async () => (await home.show(id)).status === 'done')
  })

  test('a run that lost supervisor and dispatcher is reported, and muster up recovers it', async () => {
    const home = makeTestHome(engine)
    const { id } = await shell(home, 'lost', WAITS)
    await home.dispatch()
    await begun(home, id)
    expect(await codesOf(home, id)).toEqual(['running'])
    process.kill((await home.liveRun(id)).supervisor, 'SIGKILL')
    await home.until('it is noticed', async () => (await codesOf(home, id))[0] === 'supervisor_lost')
    expect(await codesOf(home, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
    expect(await rulesOf(home)).toEqual(['supervisor_lost'])
    await home.dispatch()
    expect((await home.show(id)).runs[0]?.outcome).toBe('interrupted')
  })

  test('a claimed run without supervisor and dispatcher is not shown running', async () => {
    const home = makeTestHome(engine)
    const { id } = await shell(home, 'claimed', 'true')
    await home.shrink({ startDeadlineMs: 0 })
    const claimed = await claimFor(home, id, null, { ...ownIdentity(host), startTime: '0' })
    expect(await codesOf(home, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
    expect(await rulesOf(home)).toContain('supervisor_lost')
    await registerDead(home, claimed)
  })
})

describe('a dispatcher of another machine', () => {
  test("another machine's dispatcher does not hide that this one hangs", async () => {
    const [one, two] = await twoMachines()
    const hangs = up(one)
    const works = up(two)
    await says(one, hangs, 'Running cards')
    await says(one, works, 'Running cards')
    hangs.child.kill('SIGSTOP')
    await one.until('doctor reports it', async () => (await rulesOf(one)).includes('dispatcher_hung'))
    expect(await rulesOf(two)).toEqual([])
    hangs.child.kill('SIGCONT')
  })

  test("another machine's dispatcher leaves files and runs of this machine", async () => {
    const [one, two] = await twoMachines()
    const { id } = await shell(one, 'lost', WAITS)
    await one.dispatch()
    await begun(one, id)
    const half = await shell(one, 'half', 'exit 1')
    await one.dispatch('--wait')
    const works = up(two)
    await says(one, works, 'Running cards')
    expect(await codesOf(two, half.id)).toEqual(['files_elsewhere'])
    process.kill((await one.liveRun(id)).supervisor, 'SIGKILL')
    await one.until('it is noticed', async () => (await codesOf(one, id)).includes('supervisor_lost'))
    expect(await codesOf(one, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
    expect(await rulesOf(one)).toEqual(['supervisor_lost'])
    expect(await codesOf(one, half.id)).toContain('no_dispatcher')
  })

  test("another machine's dispatcher sees that a lost run is not running", async () => {
    const [one, two] = await twoMachines()
    const { id } = await shell(one, 'lost', WAITS)
    await one.dispatch()
    await begun(one, id)
    const { run, supervisor } = await one.liveRun(id)
    expect(await codesOf(two, id)).toEqual(['running'])
    process.kill(supervisor, 'SIGKILL')
    await endLease(one, run.id)
    expect(await codesOf(two, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
  })
})

test('a dispatcher and a run in another container are not gone', async () => {
  const home = makeTestHome('sqlite')
  const world = alterWorld(home)
  await home.muster('init')
  const running = up(home, { MUSTER_DISPATCHER_LEASE_MS: '60000' })
  await says(home, running, 'Running cards')
  const { id } = await shell(home, 'waits', WAITS)
  await begun(home, id)
  world.set({ pidNamespace: '4026532999' })
  expect(await codesOf(home, id)).toEqual(['running'])
  expect(await rulesOf(home)).toEqual([])
  const created = await home.muster('create', 'another', '--assignee', 'shell', '--body', 'true', '--hold')
  expect(created.stderr).toBe('')
  const shown = JSON.parse((await home.muster('ps', '--json')).stdout) as { condition: string }[]
  expect(shown.map(({ condition }) => condition)).toEqual(['elsewhere'])
})
