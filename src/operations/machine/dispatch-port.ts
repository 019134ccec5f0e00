/** The dispatcher as operations and surfaces see it; bin.ts brings the real one. */
import type { BoardError } from '../../core/errors.ts'
import type { Options } from '../../config/load.ts'
import type { Store } from '../../storage/store.ts'
import type { DispatchReport } from './views.ts'

export interface DispatchTarget {
  readonly store: Store
  readonly options: Options
  readonly onlyBoard: string | null
}

export interface DispatchListener {
  /** Another dispatcher is active on this machine; said once each time. */
  onStandby(why: BoardError): void
  onLead(): void
  onPass(report: DispatchReport): void
  /** The store does not answer, or the disk is full; the dispatcher goes on trying. */
  onTrouble(error: BoardError): void
}

/** Who hears of one pass while it goes on: with `wait` it ends only when its runs have. */
export interface PassListener {
  /** All that was due is done, and what may start has: only the ends of its runs are waited for. */
  onPass(report: DispatchReport): void
  /** A run of this pass has ended. */
  onEnd(run: DispatchReport['settled'][number]): void
}

export interface DispatchSignals {
  /** Return now; runs go on. */
  readonly stop: AbortSignal
  /** Start nothing more, and return when nothing runs here. */
  readonly drain: AbortSignal
}

export interface DispatchPort {
  /** `max`: how many it may start; null: as many as fit. */
  once(
    target: DispatchTarget,
    how: { wait: boolean; max: number | null },
    listener: PassListener,
  ): Promise<DispatchReport>
  preview(target: DispatchTarget, how: { max: number | null }): Promise<DispatchReport>
  run(target: DispatchTarget, listener: DispatchListener, signals: DispatchSignals): Promise<void>
}
