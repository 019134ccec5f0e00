// Tests a dispatcher that is alive but does not work: every command reports this.
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { ownIdentity } from '../../src/processes/identity.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { alterWorld, makeTwoMachines } from '../helpers/world.ts'
import { WAITS, createShellCard, startUp, untilBegun, untilPrinted } from '../helpers/run-cards.ts'
import { claimFor, endLease, host, registerDead } from './live-runs.ts'

const codesOf = async (home: TestHome, id: TaskId): Promise<string[]> => {
  const { stdout } = await home.runInline('why', id, '--json')
  return (JSON.parse(stdout) as { reasons: { code: string }[] }).reasons.map(({ code }) => code)
}

const rulesOf = async (home: TestHome): Promise<string[]> => {
  const { stdout } = await home.runInline('doctor', '--json')
  return (JSON.parse(stdout) as { rule: string }[]).map(({ rule }) => rule)
}

describe.each(SURFACE_ENGINES)('a stopped dispatcher (%s)', (engine) => {
  test('`why`, `doctor`, `create` and `dispatch --nudge` report a suspended dispatcher, which then continues', async () => {
    const home = makeTestHome(engine)
    await home.runInline('init')
    const running = startUp(home)
    await untilPrinted(home, running, 'Running cards')
    // Ctrl-Z sends SIGTSTP, which the kernel ignores in an orphaned process group. SIGSTOP stops the process in the
    // same way.
    running.child.kill('SIGSTOP')
    const { id } = await createShellCard(home, 'waits', 'true')
    await home.until('it is noticed', async () => (await codesOf(home, id)).includes('dispatcher_hung'))
    expect(await codesOf(home, id)).toEqual(['dispatcher_hung'])
    expect((await home.runInline('why', id)).stdout).toContain(
      `Muster (pid ${running.child.pid}) is suspended, so no cards start.\n    → Continue Muster with fg in its terminal, or run: kill -CONT ${running.child.pid}`,
    )
    expect(await rulesOf(home)).toEqual(['dispatcher_hung'])
    expect((await home.runInline('doctor')).stdout).toContain('is suspended. Continue Muster with fg')
    const created = await home.runInline('create', 'another', '--assignee', 'shell', '--body', 'true')
    expect(created.stderr).toContain(`Muster (pid ${running.child.pid}) is suspended`)
    const nudged = await home.muster('dispatch', '--nudge')
    expect([nudged.code, nudged.stderr]).toEqual([1, expect.stringContaining('is suspended')])
    running.child.kill('SIGCONT')
    await home.until('it continues', async () => (await home.show(id)).status === 'done')
  })

  test('a run without a supervisor is reported, and the next pass recovers it', async () => {
    const home = makeTestHome(engine)
    const { id } = await createShellCard(home, 'lost', WAITS)
    await home.dispatch()
    await untilBegun(home, id)
    expect(await codesOf(home, id)).toEqual(['running'])
    process.kill((await home.liveRun(id)).supervisor, 'SIGKILL')
    await home.until('it is noticed', async () => (await codesOf(home, id))[0] === 'supervisor_lost')
    expect(await codesOf(home, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
    expect(await rulesOf(home)).toEqual(['supervisor_lost'])
    await home.dispatch()
    expect((await home.show(id)).runs[0]?.outcome).toBe('interrupted')
  })

  test('a claimed run without a live supervisor is shown as lost', async () => {
    const home = makeTestHome(engine)
    const { id } = await createShellCard(home, 'claimed', 'true')
    await home.setBoard({ startDeadlineMs: 0 })
    const claimed = await claimFor(home, id, null, { ...ownIdentity(host), startTime: '0' })
    expect(await codesOf(home, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
    expect(await rulesOf(home)).toContain('supervisor_lost')
    await registerDead(home, claimed)
  })
})

describe('a dispatcher of another machine', () => {
  test('a dispatcher on another machine does not hide a hung dispatcher on this machine', async () => {
    const [one, two] = await makeTwoMachines()
    const hangs = startUp(one)
    const works = startUp(two)
    await untilPrinted(one, hangs, 'Running cards')
    await untilPrinted(one, works, 'Running cards')
    hangs.child.kill('SIGSTOP')
    await one.until('doctor reports it', async () => (await rulesOf(one)).includes('dispatcher_hung'))
    expect(await rulesOf(two)).toEqual([])
    hangs.child.kill('SIGCONT')
  })

  test('a dispatcher does not take over files or runs of another machine', async () => {
    const [one, two] = await makeTwoMachines()
    const { id } = await createShellCard(one, 'lost', WAITS)
    await one.dispatch()
    await untilBegun(one, id)
    const half = await createShellCard(one, 'half', 'exit 1')
    await one.dispatch('--wait')
    const works = startUp(two)
    await untilPrinted(one, works, 'Running cards')
    expect(await codesOf(two, half.id)).toEqual(['files_elsewhere'])
    process.kill((await one.liveRun(id)).supervisor, 'SIGKILL')
    await one.until('it is noticed', async () => (await codesOf(one, id)).includes('supervisor_lost'))
    expect(await codesOf(one, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
    expect(await rulesOf(one)).toEqual(['supervisor_lost'])
    expect(await codesOf(one, half.id)).toContain('no_dispatcher')
  })

  test('a run that is lost on its machine is shown as lost on other machines too', async () => {
    const [one, two] = await makeTwoMachines()
    const { id } = await createShellCard(one, 'lost', WAITS)
    await one.dispatch()
    await untilBegun(one, id)
    const { run, supervisor } = await one.liveRun(id)
    expect(await codesOf(two, id)).toEqual(['running'])
    process.kill(supervisor, 'SIGKILL')
    await endLease(one, run.id)
    expect(await codesOf(two, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
  })
})

test('a dispatcher and a run in another container count as alive', async () => {
  const home = makeTestHome('sqlite')
  const world = alterWorld(home)
  await home.muster('init')
  const running = startUp(home, { MUSTER_DISPATCHER_LEASE_MS: '60000' })
  await untilPrinted(home, running, 'Running cards')
  const { id } = await createShellCard(home, 'waits', WAITS)
  await untilBegun(home, id)
  world.set({ pidNamespace: '4026532999' })
  expect(await codesOf(home, id)).toEqual(['running'])
  expect(await rulesOf(home)).toEqual([])
  const created = await home.muster('create', 'another', '--assignee', 'shell', '--body', 'true', '--hold')
  expect(created.stderr).toBe('')
  const shown = JSON.parse((await home.muster('ps', '--json')).stdout) as { condition: string }[]
  expect(shown.map(({ condition }) => condition)).toEqual(['elsewhere'])
})
