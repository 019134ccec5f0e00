// Tests repeated `muster dispatch` processes, as cron starts them, instead of one long-running dispatcher.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { monotonicMs } from '../../src/util/monotonic.ts'
import { groupMembers } from '../../src/processes/group.ts'
import { ownIdentity } from '../../src/processes/identity.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { clockwork } from '../helpers/sample.ts'
import { ENGINES, SURFACE_ENGINES } from '../helpers/stores.ts'
import { startUp } from '../helpers/run-cards.ts'
import { HOUR, WAITS_ONCE, finishInOneRun, host, processes, shortLease, startWaitingCard } from './live-runs.ts'

/** The observations that a dispatcher stores for the next dispatcher. */
interface Observed {
  readonly boots: readonly { readonly runs: Readonly<Record<string, object>> }[]
}

/** The pause between two passes, which leaves CPU time to the run. */
const PAUSE_MS = 400

type Begun = Awaited<ReturnType<typeof startWaitingCard>>

/** Starts a card and stops its supervisor. The agent of the card continues. */
async function beginAndHang(home: TestHome, ...flags: string[]): Promise<Begun> {
  const begun = await startWaitingCard(home, WAITS_ONCE, ...flags)
  process.kill(begun.supervisor, 'SIGSTOP')
  return begun
}

async function outcomesAfterPasses(home: TestHome, hung: readonly Begun[]): Promise<unknown> {
  const store = await home.store()
  const found = () => Promise.all(hung.map(async ({ run }) => (await store.run(run.id))?.outcome ?? null))
  await home.until('the runs are over', async () => {
    expect((await home.muster('dispatch')).code).toBe(0)
    await sleep(PAUSE_MS)
    return !(await found()).includes(null)
  })
  for (const { key } of hung) expect(groupMembers(processes, key)).toEqual([])
  return found()
}

describe.each(SURFACE_ENGINES)('separate passes (%s)', (engine) => {
  test('separate passes end overdue and reclaimed runs of hung supervisors', async () => {
    const home = makeTestHome(engine)
    Object.assign(home.env, { MUSTER_TAKE_OVER_MS: '200', MUSTER_INTENT_WAIT_MS: '0' })
    const late = await beginAndHang(home, '--max-runtime', '5s')
    const reclaimed = await beginAndHang(home)
    expect(await home.muster('reclaim', reclaimed.card.id)).toMatchObject({
      code: 75,
      stderr: expect.stringContaining(
        "only Muster can end the run. Muster isn't running. Start it with: muster up",
      ) as string,
    })
    expect(await outcomesAfterPasses(home, [late, reclaimed])).toEqual(['timed_out', 'reclaimed'])
  })

  test('separate passes do not end a supervisor that could not write to the store', async () => {
    const home = makeTestHome(engine)
    const { run, card } = await startWaitingCard(home)
    const store = await home.store()
    await home.dispatch()
    const observed = JSON.parse((await store.dispatcherMemory(host.machine.id)) ?? '') as Observed
    const seen = observed.boots[0]?.runs[run.id]
    expect(seen).toMatchObject({ leaseUntil: run.leaseUntil })
    const longAgo = monotonicMs() - HOUR
    Object.assign(seen ?? {}, { since: longAgo, renewedAt: longAgo, lapsedSince: longAgo })
    const identity = ownIdentity(host)
    const lead = { machine: host.machine.id, tokenHash: 'earlier' }
    const address = { board: 'default', actor: clockwork } as const
    unwrap(await store.decide({ ...address, verb: 'lead_dispatch', input: { ...lead, identity, leaseMs: 60_000 } }))
    const memory = JSON.stringify(observed)
    unwrap(await store.decide({ ...address, verb: 'leave_dispatch', input: { ...lead, memory } }))
    expect((await home.dispatch()).interrupted).toEqual([])
    await finishInOneRun(home, card.id)
  })

  test('a hung supervisor is ended even if one dispatcher after the other is killed', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    await home.setBoard(shortLease(engine))
    const { run } = await beginAndHang(home)
    const store = await home.store()
    const observed = () => store.dispatcherMemory(host.machine.id)
    const outcome = async () => (await store.run(run.id))?.outcome ?? null
    await home.until('the run is over', async () => {
      const before = await observed()
      const { child, ended } = startUp(home, { MUSTER_DISPATCHER_LEASE_MS: '3000', MUSTER_TAKE_OVER_MS: '100' })
      await home.until('it has stored what it saw', async () => (await observed()) !== before)
      child.kill('SIGKILL')
      await ended
      return (await outcome()) !== null
    })
    expect(await outcome()).toBe('interrupted')
  })
})

// On a server, separate passes must also observe that nobody renews the lease.
test.each(ENGINES)('separate passes end a supervisor whose lease expired (%s)', async (engine) => {
  const home = makeTestHome(engine)
  await home.create('makes the board', '--assignee', 'nobody')
  await home.setBoard(shortLease(engine))
  expect(await outcomesAfterPasses(home, [await beginAndHang(home)])).toEqual(['interrupted'])
})
