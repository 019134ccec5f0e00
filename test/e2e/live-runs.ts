/** Helpers for the tests of liveness: waiting agents, claimed runs, unrelated processes, a locked store. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { RunId, TaskId } from '../../src/core/ids.ts'
import type { Fence, Identity, Run } from '../../src/core/run.ts'
import { parseLocation } from '../../src/storage/location.ts'
import { connectClient } from '../../src/storage/postgres/client.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import { newRunId } from '../../src/util/mint.ts'
import { ownIdentity, thisHost } from '../../src/processes/identity.ts'
import { makeRunDirectory } from '../../src/runs/files/run-directory.ts'
import { readLeader } from '../../src/runs/wrapper.ts'
import { appeared } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { WAITS, finish, untilStatus } from '../helpers/run-cards.ts'
import { clockwork } from '../helpers/sample.ts'
import type { Engine } from '../helpers/stores.ts'

export const host = thisHost()
export const { processes } = host
export const HOUR = 3_600_000

/** A script whose first attempt waits. Later attempts finish at once. */
export const WAITS_ONCE = `echo try >>tries; [ "$(wc -l <tries)" -gt 1 ] || { ${WAITS}; }; echo done`

export const fenceOf = (run: Run): Fence => ({ runId: run.id, tokenHash: run.tokenHash ?? '' })

/**
 * Returns a short lease. On a server, the lease is longer, because a supervisor that renews too late on a busy machine
 * ends its agent there.
 */
export const shortLease = (engine: Engine): { leaseMs: number } => ({ leaseMs: engine === 'postgres' ? 6_000 : 2_000 })

/** Creates a card and waits until its agent waits. */
export async function startWaitingCard(home: TestHome, body = WAITS_ONCE, ...flags: string[]) {
  const card = await home.create('waits', '--assignee', 'shell', '--body', body, ...flags)
  await home.dispatch()
  const live = await home.liveRun(card.id)
  await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
  const leader = await home.until('the wrapper is known', () => readLeader(live.directory, fenceOf(live.run)))
  return { ...live, card, key: { run: live.run.id, leader } }
}

export async function outcomesAndFailures(home: TestHome, id: TaskId) {
  const { runs, consecutiveFailures } = await home.show(id)
  return { outcomes: runs.map(({ outcome }) => outcome), consecutiveFailures }
}

/** Ends the agent of a run and expects that the card is done after this one run, without a failure. */
export async function finishInOneRun(home: TestHome, id: TaskId): Promise<void> {
  finish(home, id)
  await untilStatus(home, id, 'done')
  expect(await outcomesAndFailures(home, id)).toEqual({ outcomes: ['completed'], consecutiveFailures: 0 })
}

/** Claims a card and registers the given identity as the supervisor of its run. */
export async function claimFor(
  home: TestHome,
  task: TaskId,
  identity: Identity | null,
  dispatcher = ownIdentity(host),
) {
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

/** Registers a dead supervisor, so that the end of the test does not wait for its run. */
export async function registerDead(
  home: TestHome,
  { task, fence }: Awaited<ReturnType<typeof claimFor>>,
): Promise<void> {
  const input = { task, fence, identity: { ...ownIdentity(host), startTime: '0' } }
  unwrap(await (await home.store()).decide({ board: 'default', actor: clockwork, verb: 'register', input }))
}

/** Locks the store as another writer does. */
export async function lockStore(home: TestHome): Promise<{ release(): Promise<void> }> {
  const location = parseLocation(home.env['MUSTER_STORE'] ?? join(home.home, 'muster.db'))
  if (location.engine === 'sqlite') {
    const connection = connect(location.path, 'rw')
    // The connection waits for the lock, because other processes also write now and then.
    connection.exec('pragma busy_timeout = 5000')
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

/** Ends the lease of a run on a server. */
export async function endLease(home: TestHome, id: RunId): Promise<void> {
  const location = parseLocation(home.env['MUSTER_STORE'] ?? '')
  if (location.engine !== 'postgres') throw new Error('not on a server')
  const client = connectClient({ ...location, connections: 1, readOnly: false })
  await client.unsafe(`update ${location.schema}.run set lease_until = 0 where id = '${id}'`)
  await client.end()
}

/** Like `home.until`, but without reading the store. */
export async function pollUntil(look: () => boolean): Promise<void> {
  await expect.poll(look, { interval: 100 }).toBe(true)
}

/** Starts a process that Muster does not own. */
export function startUnrelatedProcess(): number {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}
