/**
 * Renews the lease of a run, which proves that this supervisor is alive. It waits a quarter of the lease between
 * renewals, and less after a nudge or a failure. A renewal also reports that another process owns the run, that a
 * person wants to end it, or that all renewals have failed for too long. When the machine wakes from sleep, the lease
 * is renewed at once, because another machine may have taken the run.
 */
import type { HeldLease } from '../storage/store.ts'
import { ClockWatch } from '../util/monotonic.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import { lastNudge, onNudge } from '../runs/files/run-directory.ts'
import { setAlarm } from './alarm.ts'
import type { SupervisedRun } from './supervised-run.ts'

/**
 * After this share of the lease without a renewal, the supervisor ends the agent. On PostgreSQL, another machine may
 * take the run when the lease expires, so this machine must stop earlier.
 */
export const CUT_OFF_SHARE = 3 / 4
/**
 * Shares of the lease. TRY_SHARE: the time between renewals, and the timeout of each. AGAIN_SHARE: the wait after a
 * failed renewal.
 */
const TRY_SHARE = 1 / 4
const AGAIN_SHARE = 1 / 16

export interface LeaseListener {
  /** Whether the agent has made progress since the previous call of this method. */
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
  const silence = watchSilence(run, listener)
  const loop = new RenewalLoop(run.leaseMs, makeRenewal(run, listener, silence.renewed))
  const renewNow = (): void => loop.renewNow()
  const nudges = onNudge(run.directory, renewNow)
  // A nudge from before the file watcher started is not reported by the watcher.
  if (lastNudge(run.directory) !== run.nudgedAt) renewNow()
  const waking = onWaking(run, share(run.leaseMs, AGAIN_SHARE), renewNow)
  return {
    stop() {
      loop.stop()
      silence.stop()
      nudges.stop()
      waking.stop()
    },
  }
}

const share = (leaseMs: number, part: number): number => Math.max(1, Math.floor(leaseMs * part))

type Renew = (isStopped: () => boolean) => Promise<boolean>

/** `nudged` means that a nudge came during a renewal, so the next renewal follows at once. */
type LoopState = 'waiting' | 'renewing' | 'nudged' | 'stopped'

class RenewalLoop {
  readonly #leaseMs: number
  readonly #renew: Renew
  #state: LoopState = 'waiting'
  #timer: NodeJS.Timeout

  constructor(leaseMs: number, renew: Renew) {
    this.#leaseMs = leaseMs
    this.#renew = renew
    this.#timer = setTimeout(() => this.renewNow(), share(leaseMs, TRY_SHARE))
  }

  renewNow(): void {
    if (this.#state === 'renewing') this.#state = 'nudged'
    if (this.#state !== 'waiting') return
    clearTimeout(this.#timer)
    this.#state = 'renewing'
    this.#attempt()
  }

  stop(): void {
    this.#state = 'stopped'
    clearTimeout(this.#timer)
  }

  /** Starts a renewal, even if the previous renewal hangs. A late answer still counts. */
  #attempt(): void {
    let isOver = false
    const finish = (renewed: boolean): void => {
      if (isOver || this.#state === 'stopped') return
      isOver = true
      this.#waitForNext(renewed)
    }
    this.#timer = setTimeout(finish, share(this.#leaseMs, TRY_SHARE), false)
    void this.#renew(() => this.#state === 'stopped').then(finish)
  }

  #waitForNext(renewed: boolean): void {
    clearTimeout(this.#timer)
    const waitMs = this.#state === 'nudged' ? 0 : share(this.#leaseMs, renewed ? TRY_SHARE : AGAIN_SHARE)
    this.#timer = setTimeout(() => this.renewNow(), waitMs)
    this.#state = 'waiting'
  }
}

/**
 * Makes one renewal and reports the result to the listener. Returns whether the lease was renewed. This function never
 * rejects.
 */
function makeRenewal(
  { store, ticket, fence }: Leased,
  listener: LeaseListener,
  onRenewed: (sentAt: number) => void,
): Renew {
  return async (isStopped) => {
    const sentAt = performance.now()
    try {
      const held = await store.renewLease(ticket.board, fence, { active: listener.isActive() })
      if (isStopped()) return false
      if (held === null) listener.onSuperseded()
      else {
        onRenewed(sentAt)
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
 * Calls `onCutOff` when no renewal has succeeded for too long, even while a renewal waits for its answer. On SQLite no
 * other machine can take the run, so `onCutOff` is never called.
 */
function watchSilence(
  { store, leaseMs }: Leased,
  listener: LeaseListener,
): { renewed: (sentAt: number) => void; stop(): void } {
  if (store.engine !== 'postgres') return { renewed: () => {}, stop: () => {} }
  let renewedAt = -Infinity
  let alarm = { stop: (): void => {} }
  // Notes a renewal. The lease counts from the request and not from the answer, because the request is earlier.
  const renewed = (sentAt: number): void => {
    if (sentAt < renewedAt) return
    renewedAt = sentAt
    alarm.stop()
    alarm = setAlarm(sentAt + leaseMs * CUT_OFF_SHARE - performance.now(), () => listener.onCutOff())
  }
  renewed(performance.now())
  return { renewed, stop: () => alarm.stop() }
}

/**
 * Calls back when the machine wakes from sleep. On SQLite this is not needed, because no other machine can take the
 * run.
 */
function onWaking({ store }: Leased, everyMs: number, callback: () => void): { stop(): void } {
  if (store.engine !== 'postgres') return { stop: () => {} }
  const watch = new ClockWatch()
  const timer = setInterval(() => {
    if (watch.hasJumped(Date.now(), performance.now())) callback()
  }, everyMs)
  return { stop: () => clearInterval(timer) }
}
