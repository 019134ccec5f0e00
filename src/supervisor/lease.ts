/**
 * Proves again and again that this supervisor lives, and learns on the way what became of its run:
 *   renewed → wait a quarter of the lease (less after a nudge or a failure) → renew …
 *   superseded: the fence is stale · intent: a person ends the run · cut off: nobody could be told for too long
 * After a sleep of the machine it looks at once: the run may be another's by then.
 */
import type { HeldLease } from '../storage/store.ts'
import { ClockWatch } from '../util/clock-watch.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import { lastNudge, onNudge } from '../runs/files/run-directory.ts'
import { setAlarm } from './alarm.ts'
import type { SupervisedRun } from './supervised-run.ts'

/** On a server's store another machine may take the run over once the lease is out: stop before that. */
export const CUT_OFF_SHARE = 3 / 4
/** A try may take as long as the time between two; after a failed one the next comes sooner. */
const TRY_SHARE = 1 / 4
const AGAIN_SHARE = 1 / 16

export interface LeaseListener {
  /** Whether the agent got on since this was asked last. */
  isActive(): boolean
  onRenewed(held: HeldLease): void
  onSuperseded(): void
  onIntent(): void
  onCutOff(): void
}

type Leased = Pick<SupervisedRun, 'store' | 'fence' | 'leaseMs' | 'nudgedAt'> & {
  readonly ticket: Pick<SupervisedRun['ticket'], 'board'>
  readonly directory: Pick<RunDirectory, 'nudge'>
}

export function keepLease(run: Leased, listener: LeaseListener): { stop(): void } {
  const share = (part: number): number => Math.max(1, Math.floor(run.leaseMs * part))
  const cutOff = watchSilence(run, listener)
  const renew = makeRenewal(run, listener, (sentAt) => cutOff.heard(sentAt))
  let state: 'waiting' | 'looking' | 'nudged' | 'stopped' = 'waiting'
  let timer = setTimeout(look, share(TRY_SHARE))

  function look(): void {
    if (state !== 'waiting') {
      if (state === 'looking') state = 'nudged'
      return
    }
    clearTimeout(timer)
    state = 'looking'
    let over = false
    const goOn = (renewed: boolean): void => {
      if (over || state === 'stopped') return
      over = true
      clearTimeout(timer)
      timer = setTimeout(look, state === 'nudged' ? 0 : share(renewed ? TRY_SHARE : AGAIN_SHARE))
      state = 'waiting'
    }
    // A try that hangs is left to itself: should it be answered after all, the answer counts.
    timer = setTimeout(goOn, share(TRY_SHARE), false)
    void renew(() => state === 'stopped').then(goOn)
  }

  const nudges = onNudge(run.directory, look)
  // The watch does not report a nudge that came between the guard and now.
  if (lastNudge(run.directory) !== run.nudgedAt) look()
  const waking = onWaking(run, share(AGAIN_SHARE), look)
  return {
    stop() {
      state = 'stopped'
      clearTimeout(timer)
      cutOff.stop()
      nudges.stop()
      waking.stop()
    },
  }
}

/** One renewal, and what it tells; whether it was renewed. It never rejects. */
function makeRenewal({ store, ticket, fence }: Leased, listener: LeaseListener, heard: (sentAt: number) => void) {
  return async (isStopped: () => boolean): Promise<boolean> => {
    const sentAt = performance.now()
    try {
      const held = await store.renewLease(ticket.board, fence, { active: listener.isActive() })
      if (isStopped()) return false
      if (held === null) listener.onSuperseded()
      else {
        heard(sentAt)
        listener.onRenewed(held)
        if (held.intent !== null) listener.onIntent()
      }
      return held !== null
    } catch {
      return false
    }
  }
}

/**
 * Rings when nothing was renewed for too long, whatever the tries are doing meanwhile. An embedded store belongs to this
 * machine alone: nobody else can take the run, so there it never rings.
 */
function watchSilence(
  { store, leaseMs }: Leased,
  listener: LeaseListener,
): { heard(sentAt: number): void; stop(): void } {
  if (store.engine !== 'postgres') return { heard: () => {}, stop: () => {} }
  let renewedAt = -Infinity
  let alarm = { stop: (): void => {} }
  // Counted from the question, not from its answer: the lease began somewhere in between.
  const heard = (sentAt: number): void => {
    if (sentAt < renewedAt) return
    renewedAt = sentAt
    alarm.stop()
    alarm = setAlarm(sentAt + leaseMs * CUT_OFF_SHARE - performance.now(), () => listener.onCutOff())
  }
  heard(performance.now())
  return { heard, stop: () => alarm.stop() }
}

/** Only where another machine may have taken the run meanwhile. */
function onWaking({ store }: Leased, everyMs: number, callback: () => void): { stop(): void } {
  if (store.engine !== 'postgres') return { stop: () => {} }
  const watch = new ClockWatch()
  const timer = setInterval(() => {
    if (watch.hasJumped(Date.now(), performance.now())) callback()
  }, everyMs)
  return { stop: () => clearInterval(timer) }
}
