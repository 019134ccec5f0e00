/**
 * The interface of the dispatcher for operations, the command line and the server. The entry program provides the
 * implementation.
 */
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
  /** Called when this dispatcher begins to wait because another dispatcher is active on this machine. */
  onStandby(why: BoardError): void
  onLead(): void
  onPass(report: DispatchReport): void
  /** Called when the store does not respond or the disk is full. The dispatcher continues to try. */
  onTrouble(error: BoardError): void
}

/** Receives the progress of one pass. With `wait`, the pass continues until its runs have ended. */
export interface PassListener {
  /** Called when the pass has started its cards. From then on, the pass only waits for the runs of these cards. */
  onPass(report: DispatchReport): void
  /** Called when a run of this pass has ended. */
  onEnd(run: DispatchReport['settled'][number]): void
}

export interface DispatchSignals {
  /** When this signal aborts, the dispatcher returns at once. The runs continue. */
  readonly stop: AbortSignal
  /** When this signal aborts, the dispatcher starts no more cards. It returns when this machine has no open run. */
  readonly drain: AbortSignal
}

export interface DispatchPort {
  /** Makes one pass. `max` is the maximum number of cards to start. Null means that only the other limits apply. */
  once(
    target: DispatchTarget,
    how: { wait: boolean; max: number | null },
    listener: PassListener,
  ): Promise<DispatchReport>
  preview(target: DispatchTarget, how: { max: number | null }): Promise<DispatchReport>
  run(target: DispatchTarget, listener: DispatchListener, signals: DispatchSignals): Promise<void>
}
