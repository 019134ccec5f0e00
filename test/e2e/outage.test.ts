// A PostgreSQL server that disappears right after a claim: real processes, and a server behind a proxy.
import { expect, onTestFinished, test } from 'vitest'
import { runDirectory } from '../../src/runs/files/run-directory.ts'
import { readSupervisor } from '../../src/supervisor/start/started-supervisor.ts'
import { makeTestHome } from '../helpers/cli.ts'
import { startOutageProxy } from '../helpers/outage-proxy.ts'
import { has, says, shell, up } from './dispatching.ts'
import { outcomes } from './live-runs.ts'

test('a server lost between claim and registration counts no failure', async () => {
  const home = makeTestHome('postgres')
  const proxy = await startOutageProxy(home.env['MUSTER_STORE'] ?? '')
  onTestFinished(() => proxy.close())
  await home.say('init')
  const store = await home.store()
  await home.shrink({ failureLimit: 1 })
  const running = up(home, { MUSTER_STORE: proxy.url })
  await says(home, running, 'Running cards')
  // After it has run a card, the dispatcher has opened all its connections.
  await has(home, (await shell(home, 'first', 'true')).id, 'done')

  // The dispatcher keeps its connections; its new supervisor gets none and cannot register.
  proxy.hold()
  // Only for this claim: on a slow machine a healthy supervisor may need longer.
  await home.shrink({ startDeadlineMs: 5_000 })
  const { id } = await shell(home, 'waits for its server', 'echo done')
  const { run, supervisor } = await home.until('the run was claimed and its supervisor started', async () => {
    const [claimed] = await store.openRuns(null)
    const started = claimed === undefined ? null : readSupervisor(runDirectory(home.home, claimed.id))
    return claimed !== undefined && started !== null && { run: claimed, supervisor: started.pid }
  })
  proxy.cut()
  await home.shrink({ startDeadlineMs: 60_000 })
  // Otherwise the supervisor could still register in time when the server is back.
  process.kill(supervisor, 'SIGSTOP')
  await home.until('start deadline and lead are over', async () => {
    const [now, leads] = [await store.now(), await store.dispatchers()]
    return now > (run.startDeadlineAt ?? 0) && leads.every(({ leaseUntil }) => leaseUntil < now)
  })
  expect(await store.run(run.id)).toMatchObject({ endedAt: null, registeredAt: null })
  proxy.restore()

  await has(home, id, 'done')
  process.kill(supervisor, 'SIGCONT')
  expect(await outcomes(home, id)).toEqual({ outcomes: ['interrupted', 'completed'], consecutiveFailures: 0 })
  expect(running.child.exitCode).toBeNull()
})
