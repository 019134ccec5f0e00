/**
 * One run, from its guard (begin.ts) to its settlement:
 *   guarded → working → ended (by itself, late, by a person's word, asked to, cut off) → group gone → checked → settled
 * A run that is superseded ends without settlement: it is another's to close.
 */
import { boundLog } from '../bound-log.ts'
import type { Started } from '../spawn.ts'
import { Activity } from './activity.ts'
import { setAlarm } from './alarm.ts'
import { Causes } from './causes.ts'
import { openChannel } from './channel.ts'
import type { AnswerPort } from './channel.ts'
import { conclude, overtaken } from './conclude.ts'
import type { Cause } from './conclude.ts'
import { Examiner } from './examiner.ts'
import { endSessions } from './end-sessions.ts'
import { findWord, judgeEnding } from './judge-ending.ts'
import { keepLease } from './lease.ts'
import type { Owned, Working } from './owned.ts'
import type { Ending } from './settle.ts'
import { settleRun } from './settle.ts'
import { NO_WATCHDOG, startWatchdog } from './watchdog.ts'
import { CannotStart, prepareWork, startWork } from './work.ts'

export async function superviseOwned(owned: Owned, answer: AnswerPort): Promise<void> {
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
  const channel = await openChannel({ owned, examiner }, answer)
  try {
    watchdog = await startWatchdog(owned)
    const ending = await work({ ...owned, channel }, causes, examiner)
    // What was being said is heard to the end, and counts; nothing is said of a run that is over.
    await channel?.close()
    const judged = ending === null ? null : await judge(owned, ending, { causes, examiner })
    if (judged !== null) await settleRun(owned, judged)
    await endSessions(owned)
  } finally {
    await channel?.close()
    await examiner.close()
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
  if (cause.kind !== 'exited') void examiner.close()
  return cause
}

/** The checks, unless the run is ended over them; null when it is not ours to settle. */
async function judge(
  owned: Owned,
  ending: Ending,
  { causes, examiner: workers }: { causes: Causes<Cause>; examiner: Examiner },
): Promise<Ending | null> {
  const asked = await findWord(owned, ending)
  const isOwnEnd = ending.how === 'exited'
  // Nobody waits any more for what the worker asked of a run that was ended over it.
  if (asked === null || !isOwnEnd) await workers.close()
  if (asked === null) return ending
  const examiner = isOwnEnd ? workers : new Examiner(owned)
  examiner.agentLives = false
  const alarm = runtimeAlarm(owned, () => causes.tell({ kind: 'timed_out' }))
  try {
    // A person's word is not heard twice, and checks have a time of their own to be silent for.
    const cut = isOwnEnd ? causes.next('exited', 'stale') : causes.next('exited', 'stale', 'intent')
    const first = await Promise.race([judgeEnding(examiner, ending, asked), cut])
    if ('how' in first) return first
    void examiner.close()
    const cutShort = await conclude(owned, null, first)
    return cutShort?.how === 'stopped' ? await judge(owned, cutShort, { causes, examiner }) : cutShort
  } finally {
    await examiner.close()
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
    return await conclude(owned, { pid: started.pid, startTime }, await overtaken(owned, await ended))
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

/** Counted from the guard, in this process's running time: a clock that is set ends no run, whenever it is set. */
function runtimeAlarm({ run, guardedAt }: Owned, ring: () => void): { stop(): void } {
  const { maxRuntimeMs } = run
  return maxRuntimeMs === null ? { stop: () => {} } : setAlarm(guardedAt + maxRuntimeMs - performance.now(), ring)
}

function whenAskedToStop(callback: () => void): () => void {
  process.on('SIGTERM', callback)
  process.on('SIGINT', callback)
  return () => {
    process.off('SIGTERM', callback)
    process.off('SIGINT', callback)
  }
}
