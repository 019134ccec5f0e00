// Tests a PostgreSQL server that becomes unreachable right after a claim, with real processes and a proxy in front of
// the server.
import { expect, onTestFinished, test } from 'vitest'
import { runDirectory } from '../../src/runs/files/run-directory.ts'
import { readSupervisor } from '../../src/supervisor/start/started-supervisor.ts'
import { makeTestHome } from '../helpers/cli.ts'
import { startOutageProxy } from '../helpers/outage-proxy.ts'
import { createShellCard, startUp, untilPrinted, untilStatus } from '../helpers/run-cards.ts'
import { outcomesAndFailures } from './live-runs.ts'

test('a server outage between claim and registration is not a failure', async () => {
  const home = makeTestHome('postgres')
  const proxy = await startOutageProxy(home.env['MUSTER_STORE'] ?? '')
  onTestFinished(() => proxy.close())
  await home.runInline('init')
  const store = await home.store()
  await home.setBoard({ failureLimit: 1 })
  const running = startUp(home, { MUSTER_STORE: proxy.url })
  await untilPrinted(home, running, 'Running cards')
  // After its first card, the dispatcher has opened all its connections.
  await untilStatus(home, (await createShellCard(home, 'first', 'true')).id, 'done')

  // The dispatcher keeps its connections. The new supervisor gets no connection, so it cannot register.
  proxy.hold()
  // Only this claim gets a short deadline, because a healthy supervisor on a slow machine may need longer.
  await home.setBoard({ startDeadlineMs: 5_000 })
  const { id } = await createShellCard(home, 'waits for its server', 'echo done')
  const { run, supervisor } = await home.until('the run was claimed and its supervisor started', async () => {
    const [claimed] = await store.openRuns(null)
    const started = claimed === undefined ? null : readSupervisor(runDirectory(home.home, claimed.id))
    return claimed !== undefined && started !== null && { run: claimed, supervisor: started.pid }
  })
  proxy.cut()
  await home.setBoard({ startDeadlineMs: 60_000 })
  // The supervisor is stopped, so that it cannot register when the server returns.
  process.kill(supervisor, 'SIGSTOP')
  await home.until('the start deadline and the dispatcher lease are over', async () => {
    const [now, leads] = [await store.now(), await store.dispatchers()]
    return now > (run.startDeadlineAt ?? 0) && leads.every(({ leaseUntil }) => leaseUntil < now)
  })
  expect(await store.run(run.id)).toMatchObject({ endedAt: null, registeredAt: null })
  proxy.restore()

  await untilStatus(home, id, 'done')
  process.kill(supervisor, 'SIGCONT')
  expect(await outcomesAndFailures(home, id)).toEqual({
    outcomes: ['interrupted', 'completed'],
    consecutiveFailures: 0,
  })
  expect(running.child.exitCode).toBeNull()
})
