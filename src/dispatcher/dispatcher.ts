/**
 * Makes a single pass over the board, or passes until the dispatcher is stopped. While another dispatcher of this
 * machine is active, this dispatcher is on standby. The active dispatcher makes a pass and then waits for a change in
 * the store, a deadline or the next regular pass.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { BoardError, isTemporary } from '../core/errors.ts'
import type { DispatchListener, DispatchSignals, PassListener } from '../operations/machine/dispatch-port.ts'
import { storeMachineId } from '../processes/machine-id-file.ts'
import { waitUntil } from '../processes/wait-until.ts'
import { LanePositions } from './lanes/lane-positions.ts'
import { pauseBursts } from './burst.ts'
import type { DispatchContext, LeaderContext } from './dispatch-context.ts'
import { followTournaments } from './follow-tournaments.ts'
import { Janitor } from './janitor.ts'
import type { Leadership } from './leadership/leadership.ts'
import { takeLeadership } from './leadership/leadership.ts'
import { libraryOf } from './library.ts'
import { msToNextLook } from './next-look.ts'
import { previewPass } from './preview.ts'
import { recover } from './recovery/recover.ts'
import { HolderWatch } from './leadership/shared-machine-id.ts'
import type { DispatchReport, SettledRun } from './report.ts'
import { passRecord, settledBuckets } from './report.ts'
import { tick } from './tick.ts'
import { findWaitingCards } from './waiting-cards.ts'
import { makeAlarmClock } from '../util/alarm-clock.ts'
import type { AlarmClock } from '../util/alarm-clock.ts'

/** Makes one pass. With `wait`, it then waits until the runs that the pass started are settled. */
export async function dispatchOnce(
  context: DispatchContext,
  { wait, listener }: { wait: boolean; listener: PassListener },
): Promise<DispatchReport> {
  const leadership = await tryToLead(context)
  if (leadership instanceof BoardError) throw leadership
  const leader = { ...context, leadership }
  try {
    const report = await tick(leader)
    listener.onPass(report)
    const awaited = wait ? withSettledRuns(report, await awaitRuns(leader, report, listener)) : report
    if (wait) await followEnds(leader)
    await sweepOnce(leader)
    return { ...awaited, ...(await findWaitingCards(leader)) }
  } finally {
    await leadership.release()
  }
}

/** What the ends of runs change. No later pass may come soon, for example if a timer runs `muster dispatch`. */
async function followEnds(context: LeaderContext): Promise<void> {
  await pauseBursts(context, await context.store.boards())
  await followTournaments(context)
}

/** Cleans up once. Errors are ignored, because the pass itself has succeeded and its report must still be returned. */
const sweepOnce = (context: LeaderContext): Promise<void> =>
  new Janitor({ findsLost: false }).sweepAll(context).catch(() => {})

/** Returns what a pass would do now. */
export const previewOnce = async (context: DispatchContext): Promise<DispatchReport> => ({
  ...(await previewPass(context)),
  ...(await findWaitingCards(context)),
})

function withSettledRuns(report: DispatchReport, later: readonly SettledRun[]): DispatchReport {
  return { ...report, ...settledBuckets([...report.settled, ...report.interrupted, ...later]) }
}

/** Throws an error if a crash has damaged the store, before anything is written. */
async function requireIntactStore({ store, host }: DispatchContext): Promise<void> {
  const [fault] = await store.checkAfterBoot(host.machine.bootId)
  if (fault !== undefined)
    throw new BoardError(
      'store_corrupt',
      `The store is damaged, so no cards are started: ${fault}. Restore a backup.`,
      {
        details: { fault },
      },
    )
}

async function tryToLead(
  { store, host, options }: DispatchContext,
  holderWatch?: HolderWatch,
): Promise<Leadership | BoardError> {
  const { home, dispatcherLeaseMs: leaseMs } = options
  await storeMachineId(host.machine, home)
  return takeLeadership({ store, host, home, leaseMs, ...(holderWatch === undefined ? {} : { holderWatch }) })
}

/**
 * Waits until the started runs are settled. Lost runs are recovered during the wait, because a dead supervisor reports
 * nothing.
 */
async function awaitRuns(
  context: LeaderContext,
  { started }: DispatchReport,
  listener: PassListener,
): Promise<readonly SettledRun[]> {
  const { store, options } = context
  let awaited = started
  const ended: SettledRun[] = []
  const look = async (): Promise<SettledRun[] | null> => {
    await recover(context)
    const ends = await Promise.all(awaited.map((run) => endOf(context, run)))
    awaited = awaited.filter((_, at) => ends[at] === 'open')
    for (const run of ends) {
      if (run === 'open' || run === 'deleted') continue
      ended.push(run)
      listener.onEnd(run)
    }
    return awaited.length === 0 ? ended : null
  }
  return (await waitUntil(store, look, { forMs: Infinity, everyMs: Math.min(1000, options.sweepMs) })) ?? []
}

async function endOf(
  { store }: LeaderContext,
  { id, board, runId }: DispatchReport['started'][number],
): Promise<SettledRun | 'open' | 'deleted'> {
  const run = runId === null ? null : await store.run(runId)
  // The board was deleted during the wait, together with its runs.
  if (run === null) return 'deleted'
  if (run.endedAt === null) return 'open'
  const task = await store.task(board, id, { deleted: true })
  return { id, board, runId: run.id, phase: run.phase, outcome: run.outcome, status: task?.status ?? run.fromStatus }
}

/**
 * Makes passes until `stop`. Running agents then continue, because each run has its own supervisor. After `drain`, the
 * dispatcher starts no more runs and returns when the runs of this machine have ended.
 */
export async function runDispatcher(
  context: DispatchContext,
  listener: DispatchListener,
  { stop, drain }: DispatchSignals,
): Promise<void> {
  const clock = makeAlarmClock()
  const signals = [stop, drain]
  for (const signal of signals) signal.addEventListener('abort', clock.ring)
  const watcher = await context.store.watch(clock.ring)
  const loopContext = { ...context, lanePositions: new LanePositions(), onSupervisorExit: clock.ring }
  const over = (): boolean => signals.some(({ aborted }) => aborted)
  const holderWatch = new HolderWatch()
  let isIntact = false
  let isOnStandby = false
  try {
    while (!over()) {
      const leadership = await orNullWhileUnavailable(listener, async () => {
        if (!isIntact) await requireIntactStore(loopContext)
        isIntact = true
        return tryToLead(loopContext, holderWatch)
      })
      if (leadership instanceof BoardError && leadership.code === 'machine_id_shared') throw leadership
      if (leadership !== null && !(leadership instanceof BoardError)) {
        isOnStandby = false
        const leader = { ...loopContext, leadership }
        // The supervisor's code is copied now, because an upgrade may remove it before the first card starts. If
        // copying fails, the first start reports the error.
        await libraryOf(leader).catch(() => {})
        listener.onLead()
        await leadUntilStopped(leader, { listener, stop, drain, clock })
        continue
      }
      if (leadership !== null && !isOnStandby) listener.onStandby(leadership)
      isOnStandby = leadership !== null
      // A dispatcher on standby returns at once: the active dispatcher handles the runs.
      await sleepUntilAborted(context.options.sweepMs, AbortSignal.any(signals))
    }
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', clock.ring)
    await watcher.stop()
  }
}

/**
 * Waits before the next attempt to become active. Changes in the store do not end this wait, because the active
 * dispatcher handles them.
 */
const sleepUntilAborted = async (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })

interface LeadOptions extends DispatchSignals {
  readonly listener: DispatchListener
  readonly clock: AlarmClock
}

async function leadUntilStopped(context: LeaderContext, { listener, stop, drain, clock }: LeadOptions): Promise<void> {
  const janitor = new Janitor()
  try {
    while (!stop.aborted && context.leadership.isHeld()) {
      const drains = drain.aborted
      const began = performance.now()
      const report = await orNullWhileUnavailable(listener, () => tick(drains ? { ...context, max: 0 } : context))
      if (report !== null) {
        const times = { tookMs: performance.now() - began, everyMs: context.options.sweepMs }
        context.leadership.notePass(passRecord(report, times))
        listener.onPass(report)
      }
      janitor.start(context)
      if (drains && (await orNullWhileUnavailable(listener, () => liveRuns(context))) === 0) return
      await clock.sleep(
        (await orNullWhileUnavailable(listener, () => msToNextLook(context))) ?? context.options.sweepMs,
      )
    }
  } finally {
    await janitor.stop()
    await context.leadership.release()
  }
}

const liveRuns = async ({ store, leadership }: LeaderContext): Promise<number> =>
  (await store.openRuns(leadership.machine)).filter(({ kind }) => kind === 'agent').length

/**
 * Returns null after a temporary error, such as an unreachable store or a full disk. Any other error ends the
 * dispatcher.
 */
async function orNullWhileUnavailable<T>(listener: DispatchListener, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!isTemporary(error)) throw error
    listener.onTrouble(error)
    return null
  }
}
