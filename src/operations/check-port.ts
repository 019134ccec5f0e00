/** Who runs the checks of a card for a person who calls it finished; the program brings the real one. */
import type { Options } from '../config/load.ts'
import type { RunId, TaskId } from '../core/ids.ts'

/** A run of phase `check` that has been opened and has no supervisor yet. */
export interface CheckRun {
  readonly board: string
  readonly task: TaskId
  readonly run: RunId
  readonly token: string
}

export interface Checker {
  readonly machine: string
  /** The code that the supervisor will run from, as the run names it. */
  readonly libVersion: string | null
  /** Starts its supervisor, which settles the run. Rejects when that cannot be started. */
  start(run: CheckRun): Promise<void>
}

export interface CheckPort {
  prepare(options: Options): Promise<Checker>
}
