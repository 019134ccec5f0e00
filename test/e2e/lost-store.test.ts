// Tests a PostgreSQL server that is gone for good, with real processes and a proxy in front of the server.
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { runDirectory } from '../../src/runs/files/run-directory.ts'
import { readSupervisor } from '../../src/supervisor/start/started-supervisor.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { startOutageProxy } from '../helpers/outage-proxy.ts'
import type { OutageProxy } from '../helpers/outage-proxy.ts'
import { isGone, shellCard, startUp, untilBegun, untilPrinted, untilStatus } from '../helpers/run-cards.ts'
import { outcomesAndFailures, pollUntil, WAITS_ONCE } from './live-runs.ts'

/** Starts a card whose agent works. The dispatcher that started it has ended. */
async function startRun(home: TestHome, proxy: OutageProxy) {
  await home.runInline('init')
  await home.setBoard({ leaseMs: 2_000 })
  const up = startUp(home, { MUSTER_STORE: proxy.url, MUSTER_TERMINATE_GRACE_MS: '500' })
  await untilPrinted(home, up, 'Running cards')
  const { id } = await shellCard(home, WAITS_ONCE)
  await untilBegun(home, id)
  const [run] = await (await home.store()).openRuns(null)
  if (run === undefined) throw new Error('no run is open')
  up.child.kill('SIGTERM')
  await up.ended
  const { pid = 0 } = readSupervisor(runDirectory(home.home, run.id)) ?? {}
  onTestFinished(() => {
    if (!isGone(pid)) process.kill(pid, 'SIGKILL')
  })
  return { id, run, pid }
}

test.each(['cut', 'freeze'] as const)(
  'a supervisor whose store is gone for good ends on SIGTERM (%s)',
  async (outage) => {
    const home = makeTestHome('postgres')
    const proxy = await startOutageProxy(home.env['MUSTER_STORE'] ?? '')
    onTestFinished(() => proxy.close())
    const { id, run, pid } = await startRun(home, proxy)
    proxy[outage]()
    // After three quarters of its lease, the supervisor ends its agent and tries to settle the run.
    await pollUntil(() => existsSync(runDirectory(home.home, run.id).cutOff))
    expect(isGone(pid)).toBe(false)
    process.kill(pid, 'SIGTERM')
    await pollUntil(() => isGone(pid))

    proxy.restore()
    startUp(home)
    await untilStatus(home, id, 'done')
    expect(await outcomesAndFailures(home, id)).toEqual({
      outcomes: ['interrupted', 'completed'],
      consecutiveFailures: 0,
    })
  },
)
