/**
 * One run, from guard to settlement:
 *   guarded → working → ended (by itself, late, by a person's word, asked to, cut off) → group gone → settled
 * A run that is superseded ends without settlement: it is another's to close.
 */
import type { Environment } from '../../config/environment.ts'
import { parseLocation } from '../../storage/location.ts'
import { openStore } from '../../storage/open.ts'
import { hashToken } from '../../util/mint.ts'
import { readExit } from '../exit-file.ts'
import type { Host } from '../identity.ts'
import type { RunDirectory } from '../run-directory.ts'
import type { ProcessExit, Started } from '../spawn.ts'
import { overtime } from '../termination.ts'
import { readTicket } from '../ticket.ts'
import type { Leader } from '../wrapper.ts'
import { setAlarm } from './alarm.ts'
import { endGroup } from './end-group.ts'
import { guard } from './guard.ts'
import { keepLease } from './lease.ts'
import type { Owned } from './owned.ts'
import { patiently } from './patiently.ts'
import type { Ending } from './settle.ts'
import { settleRun } from './settle.ts'
import { startWork } from './work.ts'

const OPEN_MS = 30_000

export async function supervise(directory: RunDirectory, host: Host, env: Environment): Promise<void> {
  const ticket = await readTicket(directory)
  if (ticket === null) return
  const location = parseLocation(ticket.store)
  const store = await patiently(() => openStore(location, { mode: 'write' }), { forMs: OPEN_MS })
  try {
    const fence = { runId: ticket.run, tokenHash: hashToken(ticket.token) }
    const owned = await guard({ store, ticket, directory, host, env, fence })
    if (owned !== null) await superviseOwned(owned)
  } finally {
    await store.close()
  }
}

type Cause =
  | { readonly kind: 'exited'; readonly exit: ProcessExit }
  | { readonly kind: 'superseded' | 'intent' | 'timed_out' | 'asked' | 'cut_off' }

async function superviseOwned(owned: Owned): Promise<void> {
  if (owned.run.intent !== null) return settleRun(owned, { how: 'stopped' })
  let end: (cause: Cause) => void = () => {}
  const ended = new Promise<Cause>((resolve) => (end = resolve))
  const alarm = await runtimeAlarm(owned, () => end({ kind: 'timed_out' }))
  const lease = keepLease(owned, {
    onSuperseded: () => end({ kind: 'superseded' }),
    onIntent: () => end({ kind: 'intent' }),
    onCutOff: () => end({ kind: 'cut_off' }),
  })
  const stopAsking = whenAskedToStop(() => end({ kind: 'asked' }))
  try {
    const ending = await runToTheEnd(owned, ended, end)
    if (ending !== null) await settleRun(owned, ending)
  } finally {
    lease.stop()
    alarm.stop()
    stopAsking()
  }
}

/** How the run ended, once nothing of it is left; null when it is not ours to settle. */
async function runToTheEnd(owned: Owned, ended: Promise<Cause>, end: (cause: Cause) => void): Promise<Ending | null> {
  let started: Started
  try {
    started = await startWork(owned)
  } catch (error) {
    return { how: 'spawn_failed', error: error instanceof Error ? error.message : String(error) }
  }
  void started.exited.then((exit) => end({ kind: 'exited', exit }))
  const startTime = owned.host.processes.read(started.pid)?.startTime ?? ''
  return conclude(owned, { pid: started.pid, startTime }, await ended)
}

async function conclude(owned: Owned, wrapper: Leader, cause: Cause): Promise<Ending | null> {
  switch (cause.kind) {
    case 'exited': {
      const { code, signal } = (await readExit(owned.directory, owned.fence)) ?? cause.exit
      await endGroup(owned, wrapper, 'leftovers')
      return { how: 'exited', exitCode: code, signal }
    }
    case 'superseded':
      await endGroup(owned, wrapper, null)
      return null
    case 'intent':
      await endGroup(owned, wrapper, 'intent')
      return { how: 'stopped' }
    case 'timed_out':
      await endGroup(owned, wrapper, 'timed_out')
      return { how: 'timed_out', error: overtime(owned.run) }
    case 'asked':
      await endGroup(owned, wrapper, 'interrupted')
      return { how: 'interrupted', error: 'the supervisor was asked to stop' }
    case 'cut_off':
      await endGroup(owned, wrapper, null)
      return { how: 'interrupted', error: 'the store could not be reached for most of a lease' }
  }
}

/** The time left by the store's clock, then counted here: a clock that jumps ends no run. */
async function runtimeAlarm({ store, run }: Owned, ring: () => void): Promise<{ stop(): void }> {
  if (run.maxRuntimeMs === null) return { stop: () => {} }
  const leftMs = run.startedAt + run.maxRuntimeMs - (await patiently(() => store.now()))
  return setAlarm(leftMs, ring)
}

function whenAskedToStop(callback: () => void): () => void {
  process.on('SIGTERM', callback)
  process.on('SIGINT', callback)
  return () => {
    process.off('SIGTERM', callback)
    process.off('SIGINT', callback)
  }
}
