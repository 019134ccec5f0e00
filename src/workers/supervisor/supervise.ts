/**
 * One run, from its guard (begin.ts) to its settlement:
 *   guarded → working → ended (by itself, late, by a person's word, asked to, cut off) → group gone → checked → settled
 * A run that is superseded ends without settlement: it is another's to close.
 */
import { boundLog } from '../bound-log.ts'
import { readExit, wasCutOff } from '../exit-file.ts'
import type { ProcessExit, Started } from '../spawn.ts'
import { SILENT, overtime } from '../termination.ts'
import type { Leader } from '../wrapper.ts'
import { Activity } from './activity.ts'
import { setAlarm } from './alarm.ts'
import { Causes } from './causes.ts'
import { openChannel } from './channel.ts'
import { endGroup } from './end-group.ts'
import { Examiner } from './examiner.ts'
import { judgeEnding, mayBeFinished } from './judge-ending.ts'
import { keepLease } from './lease.ts'
import type { Owned, Working } from './owned.ts'
import { patiently } from './patiently.ts'
import type { Ending } from './settle.ts'
import { settleRun } from './settle.ts'
import { NO_WATCHDOG, startWatchdog } from './watchdog.ts'
import { CannotStart, prepareWork, startWork } from './work.ts'

export type Cause =
  | { readonly kind: 'exited'; readonly exit: ProcessExit }
  | { readonly kind: 'superseded' | 'intent' | 'timed_out' | 'stale' | 'asked' | 'cut_off' }

export async function superviseOwned(owned: Owned): Promise<void> {
  const causes = new Causes<Cause>()
  const end = (cause: Cause): void => causes.tell(cause)
  const examiner = new Examiner(owned)
  const activity = new Activity(owned.directory.log)
  let watchdog = NO_WATCHDOG
  const lease = keepLease(owned, {
    isActive: () => activity.hasPrinted(),
    onRenewed: (held) => {
      watchdog.beat()
      if (activity.isStale(held)) end({ kind: 'stale' })
    },
    onSuperseded: () => end({ kind: 'superseded' }),
    onIntent: () => end({ kind: 'intent' }),
    onCutOff: () => end({ kind: 'cut_off' }),
  })
  const stopAsking = whenAskedToStop(() => end({ kind: 'asked' }))
  const channel = await openChannel(owned, examiner)
  try {
    watchdog = await startWatchdog(owned)
    const ending = await work({ ...owned, channel }, causes, examiner)
    // What was being said is heard to the end, and counts; nothing is said of a run that is over.
    await channel?.close()
    const judged = ending === null ? null : await judge(owned, ending, { causes, examiner })
    if (judged !== null) await settleRun(owned, judged)
  } finally {
    await channel?.close()
    await examiner.stop()
    lease.stop()
    watchdog.stop()
    stopAsking()
  }
}

async function work(owned: Working, causes: Causes<Cause>, examiner: Examiner): Promise<Ending | null> {
  if (owned.run.intent !== null) return { how: 'stopped' }
  // Nobody works in such a run: the checks that follow are all of it.
  if (owned.run.phase === 'check') return { how: 'exited' }
  return runToTheEnd(owned, endOfWork(causes, examiner), (cause) => causes.tell(cause))
}

/** An agent that ended while it is being checked is not done with: unless the run is ended, the answer is awaited. */
async function endOfWork(causes: Causes<Cause>, examiner: Examiner): Promise<Cause> {
  const first = await causes.next()
  if (first.kind === 'exited') examiner.agentLives = false
  const checked = first.kind === 'exited' ? examiner.idle().then(() => first) : first
  const cause = await Promise.race([checked, causes.next('exited')])
  if (cause.kind !== 'exited') void examiner.stop()
  return cause
}

/** The checks, unless the run is ended over them; null when it is not ours to settle. */
async function judge(
  owned: Owned,
  ending: Ending,
  { causes, examiner }: { causes: Causes<Cause>; examiner: Examiner },
): Promise<Ending | null> {
  if (!mayBeFinished(ending)) return ending
  examiner.agentLives = false
  const alarm = runtimeAlarm(owned, () => causes.tell({ kind: 'timed_out' }))
  try {
    // A person's word is not heard twice, and checks have a time of their own to be silent for.
    const cut = ending.how === 'stopped' ? causes.next('exited', 'stale', 'intent') : causes.next('exited', 'stale')
    const first = await Promise.race([judgeEnding(owned, examiner, ending), cut])
    if ('how' in first) return first
    void examiner.stop()
    const cutShort = await conclude(owned, null, first)
    await examiner.stop()
    return cutShort?.how === 'stopped' ? await judge(owned, cutShort, { causes, examiner }) : cutShort
  } finally {
    alarm.stop()
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
  const log = boundLog(owned.directory.log, { maxBytes: owned.ticket.logMaxBytes })
  try {
    const startTime = owned.host.processes.read(started.pid)?.startTime ?? ''
    return await conclude(owned, { pid: started.pid, startTime }, await ended)
  } finally {
    await log.stop()
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
      if (await wasCutOff(owned.directory)) return concludeCutOff(owned, wrapper)
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
    case 'stale':
      await endGroup(owned, wrapper, 'stale')
      return { how: 'stale', error: SILENT }
    case 'asked':
      await endGroup(owned, wrapper, 'interrupted')
      return { how: 'interrupted', error: 'the supervisor was asked to stop' }
    case 'cut_off':
      return concludeCutOff(owned, wrapper)
  }
}

/** By us, or by the watchdog while we could not: whatever the exit status says, it was not the agent's own end. */
async function concludeCutOff(owned: Owned, wrapper: Leader | null): Promise<Ending> {
  await endGroup(owned, wrapper, null)
  return { how: 'interrupted', error: 'the store was not reached for most of a lease' }
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
