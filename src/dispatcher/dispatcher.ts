/**
 * The two ways to dispatch: one pass, and passes without end.
 *   standing by (another leads) ⇄ leading: pass → wait for a change, a deadline or the sweep → pass …
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { BoardError, mayPass } from '../core/errors.ts'
import type { DispatchListener, DispatchSignals, PassListener } from '../operations/machine/dispatch-port.ts'
import { keepMachineId } from '../processes/machine-id-file.ts'
import { waitUntil } from '../processes/wait-until.ts'
import { Bookmarks } from './bookmarks.ts'
import { pauseBursts } from './burst.ts'
import type { Dispatching, Leading } from './dispatching.ts'
import { Janitor } from './janitor.ts'
import type { Lead } from './lead.ts'
import { takeLead } from './lead.ts'
import { msToNextLook } from './next-look.ts'
import { preview } from './preview.ts'
import { recover } from './recover.ts'
import { RivalWatch } from './rival.ts'
import type { DispatchReport, SettledRun } from './report.ts'
import { settledBuckets } from './report.ts'
import { tick } from './tick.ts'
import { findWaits } from './waits.ts'
import { makeAlarmClock } from '../util/alarm-clock.ts'
import type { AlarmClock } from '../util/alarm-clock.ts'

/** One pass. With `wait`, also the settlement of the runs it started. */
export async function dispatchOnce(
  dispatching: Dispatching,
  { wait, listener }: { wait: boolean; listener: PassListener },
): Promise<DispatchReport> {
  const lead = await tryToLead(dispatching)
  if (lead instanceof BoardError) throw lead
  const leading = { ...dispatching, lead }
  try {
    const report = await tick(leading)
    listener.onPass(report)
    const awaited = wait ? joined(report, await awaitRuns(leading, report, listener)) : report
    if (wait) await pauseBursts(leading, await leading.store.boards())
    await sweepOnce(leading)
    return { ...awaited, ...(await findWaits(leading)) }
  } finally {
    await lead.leave()
  }
}

/** A clean-up that fails changes nothing about what was dispatched. */
const sweepOnce = (leading: Leading): Promise<void> => new Janitor({ findsLost: false }).round(leading).catch(() => {})

/** What a pass would do now. */
export const previewOnce = async (dispatching: Dispatching): Promise<DispatchReport> => ({
  ...(await preview(dispatching)),
  ...(await findWaits(dispatching)),
})

function joined(report: DispatchReport, later: readonly SettledRun[]): DispatchReport {
  return { ...report, ...settledBuckets([...report.settled, ...report.interrupted, ...later]) }
}

/** What a crash tore is found before anything is built on it. */
async function requireSound({ store, host }: Dispatching): Promise<void> {
  const [fault] = await store.checkAfterBoot(host.machine.bootId)
  if (fault !== undefined)
    throw new BoardError('store_corrupt', `The store is damaged and nothing is dispatched from it: ${fault}`, {
      details: { fault },
    })
}

async function tryToLead({ store, host, options }: Dispatching, rivals?: RivalWatch): Promise<Lead | BoardError> {
  const { home, dispatcherLeaseMs: leaseMs } = options
  await keepMachineId(host.machine, home)
  return takeLead({ store, host, home, leaseMs, ...(rivals === undefined ? {} : { rivals }) })
}

/** Looks after its runs meanwhile: a supervisor that dies here tells nobody. */
async function awaitRuns(
  leading: Leading,
  { started }: DispatchReport,
  listener: PassListener,
): Promise<readonly SettledRun[]> {
  const { store, options } = leading
  let awaited = started
  const ended: SettledRun[] = []
  const look = async (): Promise<SettledRun[] | null> => {
    await recover(leading)
    const ends = await Promise.all(awaited.map((run) => endOf(leading, run)))
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
  { store }: Leading,
  { id, board, runId }: DispatchReport['started'][number],
): Promise<SettledRun | 'open' | 'deleted'> {
  const run = runId === null ? null : await store.run(runId)
  // The board was deleted meanwhile, and its runs with it.
  if (run === null) return 'deleted'
  if (run.endedAt === null) return 'open'
  const task = await store.task(board, id, { deleted: true })
  return { id, board, runId: run.id, phase: run.phase, outcome: run.outcome, status: task?.status ?? run.fromStatus }
}

/**
 * Dispatches until it is told to stop. Runs go on when it returns: each has its own supervisor. Told to drain, it starts
 * nothing more and returns when the runs of this machine have ended.
 */
export async function runDispatcher(
  dispatching: Dispatching,
  listener: DispatchListener,
  { stop, drain }: DispatchSignals,
): Promise<void> {
  const clock = makeAlarmClock()
  const signals = [stop, drain]
  for (const signal of signals) signal.addEventListener('abort', clock.ring)
  const watcher = await dispatching.store.watch(clock.ring)
  const awake = { ...dispatching, bookmarks: new Bookmarks(), onSupervisorExit: clock.ring }
  const over = (): boolean => signals.some(({ aborted }) => aborted)
  const rivals = new RivalWatch()
  let sound = false
  let standsBy = false
  try {
    while (!over()) {
      const lead = await whenAnswered(listener, async () => {
        if (!sound) await requireSound(awake)
        sound = true
        return tryToLead(awake, rivals)
      })
      if (lead instanceof BoardError && lead.code === 'machine_id_shared') throw lead
      if (lead !== null && !(lead instanceof BoardError)) {
        standsBy = false
        listener.onLead()
        await leadOn({ ...awake, lead }, { listener, stop, drain, clock })
        continue
      }
      if (lead !== null && !standsBy) listener.onStandby(lead)
      standsBy = lead !== null
      // Whoever stands by has nothing to drain: the runs are the other one's to look after.
      await pause(dispatching.options.sweepMs, AbortSignal.any(signals))
    }
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', clock.ring)
    await watcher.stop()
  }
}

/** Standing by hears nothing: whatever is written, the other one sees to it. */
const pause = async (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })

interface Shift extends DispatchSignals {
  readonly listener: DispatchListener
  readonly clock: AlarmClock
}

async function leadOn(leading: Leading, { listener, stop, drain, clock }: Shift): Promise<void> {
  const janitor = new Janitor()
  try {
    while (!stop.aborted && leading.lead.held()) {
      const drains = drain.aborted
      const report = await whenAnswered(listener, () => tick(drains ? { ...leading, max: 0 } : leading))
      if (report !== null) listener.onPass(report)
      janitor.start(leading)
      if (drains && (await whenAnswered(listener, () => liveRuns(leading))) === 0) return
      await clock.sleep((await whenAnswered(listener, () => msToNextLook(leading))) ?? leading.options.sweepMs)
    }
  } finally {
    await janitor.stop()
    await leading.lead.leave()
  }
}

const liveRuns = async ({ store, lead }: Leading): Promise<number> =>
  (await store.openRuns(lead.machine)).filter(({ kind }) => kind === 'agent').length

/** Null when the store could not be reached, or the disk is full: that passes. Every other error ends the dispatcher. */
async function whenAnswered<T>(listener: DispatchListener, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!mayPass(error)) throw error
    listener.onTrouble(error)
    return null
  }
}
