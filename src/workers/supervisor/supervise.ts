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
import { chooseSocketPath } from '../run-socket/address.ts'
import type { ProcessExit, Started } from '../spawn.ts'
import { overtime } from '../termination.ts'
import { readTicket } from '../ticket.ts'
import type { Leader } from '../wrapper.ts'
import { setAlarm } from './alarm.ts'
import { openChannel } from './channel.ts'
import { endGroup } from './end-group.ts'
import { guard } from './guard.ts'
import { keepLease } from './lease.ts'
import type { Owned, Working } from './owned.ts'
import { patiently } from './patiently.ts'
import type { Ending } from './settle.ts'
import { settleRun } from './settle.ts'
import { CannotStart, prepareWork, startWork } from './work.ts'

const OPEN_MS = 30_000

export async function supervise(directory: RunDirectory, host: Host, env: Environment): Promise<void> {
  const ticket = await readTicket(directory)
  if (ticket === null) return
  const location = parseLocation(ticket.store)
  const store = await patiently(() => openStore(location, { mode: 'write' }), { forMs: OPEN_MS })
  try {
    const fence = { runId: ticket.run, tokenHash: hashToken(ticket.token) }
    const socketPath = chooseSocketPath(directory)
    const owned = await guard({ store, ticket, directory, host, env, fence, socketPath })
    if (owned !== null) await superviseOwned(owned)
  } finally {
    await store.close()
  }
}

export type Cause =
  | { readonly kind: 'exited'; readonly exit: ProcessExit }
  | { readonly kind: 'superseded' | 'intent' | 'timed_out' | 'asked' | 'cut_off' }

async function superviseOwned(owned: Owned): Promise<void> {
  if (owned.run.intent !== null) return settleRun(owned, { how: 'stopped' })
  let end: (cause: Cause) => void = () => {}
  const ended = new Promise<Cause>((resolve) => (end = resolve))
  const lease = keepLease(owned, {
    onSuperseded: () => end({ kind: 'superseded' }),
    onIntent: () => end({ kind: 'intent' }),
    onCutOff: () => end({ kind: 'cut_off' }),
  })
  const stopAsking = whenAskedToStop(() => end({ kind: 'asked' }))
  const channel = await openChannel(owned)
  try {
    const ending = await runToTheEnd({ ...owned, channel }, ended, end)
    // What was being said is heard to the end, and counts; nothing is said of a run that is over.
    await channel?.close()
    if (ending !== null) await settleRun(owned, ending)
  } finally {
    await channel?.close()
    lease.stop()
    stopAsking()
  }
}

/** How the run ended, once nothing of it is left; null when it is not ours to settle. */
export async function runToTheEnd(
  owned: Working,
  ended: Promise<Cause>,
  end: (cause: Cause) => void,
): Promise<Ending | null> {
  const abandoned = new AbortController()
  let started: Started
  try {
    const request = await Promise.race([prepareWork(owned, abandoned.signal), ended])
    if ('kind' in request) return await conclude(owned, null, request)
    started = await startWork(request)
  } catch (error) {
    return notStarted(error)
  } finally {
    abandoned.abort()
  }
  void started.exited.then((exit) => end({ kind: 'exited', exit }))
  // Only now: time that went by before there was an agent ends nothing that was not begun.
  const alarm = runtimeAlarm(owned, () => end({ kind: 'timed_out' }))
  try {
    const startTime = owned.host.processes.read(started.pid)?.startTime ?? ''
    return await conclude(owned, { pid: started.pid, startTime }, await ended)
  } finally {
    alarm.stop()
  }
}

/** A disk or a store that fails us is no failure of the agent. */
function notStarted(error: unknown): Ending {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof CannotStart
    ? { how: 'spawn_failed', error: message }
    : { how: 'interrupted', error: `its supervisor could not prepare the run: ${message}` }
}

/** `wrapper` null: the agent was not started. */
async function conclude(owned: Owned, wrapper: Leader | null, cause: Cause): Promise<Ending | null> {
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
function runtimeAlarm({ store, run }: Owned, ring: () => void): { stop(): void } {
  const { maxRuntimeMs, startedAt } = run
  if (maxRuntimeMs === null) return { stop: () => {} }
  const stopped = new AbortController()
  const { signal } = stopped
  const arm = (now: number): void => {
    if (signal.aborted) return
    const alarm = setAlarm(startedAt + maxRuntimeMs - now, ring)
    signal.addEventListener('abort', () => alarm.stop())
  }
  // Should the clock not be had at all, the whole time counts from here.
  void patiently(() => store.now(), { signal }).then(arm, () => arm(startedAt))
  return { stop: () => stopped.abort() }
}

function whenAskedToStop(callback: () => void): () => void {
  process.on('SIGTERM', callback)
  process.on('SIGINT', callback)
  return () => {
    process.off('SIGTERM', callback)
    process.off('SIGINT', callback)
  }
}
