/** The dispatcher as operations and surfaces see it; the entry program provides it. */
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
  /** Called once each time this dispatcher begins to wait, because another dispatcher is active on this machine. */
  onStandby(why: BoardError): void
  onLead(): void
  onPass(report: DispatchReport): void
  /** Called when the store does not respond or the disk is full. The dispatcher keeps trying. */
  onTrouble(error: BoardError): void
}

/** Receives the progress of one pass. With `wait`, the pass ends when its runs have ended. */
export interface PassListener {
  /** Called when the pass has started its cards and only waits for their runs. */
  onPass(report: DispatchReport): void
  /** Called when a run of this pass has ended. */
  onEnd(run: DispatchReport['settled'][number]): void
}

export interface DispatchSignals {
  /** Return now; runs continue. */
  readonly stop: AbortSignal
  /** Start nothing more, and return when no run is left on this machine. */
  readonly drain: AbortSignal
}

export interface DispatchPort {
  /** `max` is the number of cards that the pass may start, or null for no limit of its own. */
  once(
    target: DispatchTarget,
    how: { wait: boolean; max: number | null },
    listener: PassListener,
  ): Promise<DispatchReport>
  preview(target: DispatchTarget, how: { max: number | null }): Promise<DispatchReport>
  run(target: DispatchTarget, listener: DispatchListener, signals: DispatchSignals): Promise<void>
}
