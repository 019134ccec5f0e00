/** The data that each step of a pass needs. */
import type { Environment } from '../config/environment.ts'
import type { Options } from '../config/load.ts'
import type { Store } from '../storage/store.ts'
import type { Host } from '../processes/identity.ts'
import type { LanePositions } from './lanes/lane-positions.ts'
import type { Leadership } from './leadership/leadership.ts'

export interface DispatchContext {
  readonly store: Store
  readonly host: Host
  readonly options: Options
  /** The environment of the dispatcher. Agents get only some of its variables. */
  readonly env: Environment
  /** The path of the bundled file of the supervisor. */
  readonly supervisorPath: string
  /**
   * Called with the folder that contains the copy of the supervisor's code. An upgrade of the installed program does
   * not remove this copy.
   */
  readonly onCopy?: (folder: string) => void
  /** The only board whose cards this pass starts. Null means all boards. */
  readonly onlyBoard: string | null
  /** The maximum number of runs that this pass may start. Null means that only the other limits apply. */
  readonly max: number | null
  /** The positions at which the next pass continues in long lanes. Null means that each pass reads whole lanes. */
  readonly lanePositions: LanePositions | null
  /** Called when a supervisor that this process started has ended. */
  readonly onSupervisorExit?: () => void
}

/** The data of the dispatcher that is active on this machine. */
export interface LeaderContext extends DispatchContext {
  readonly leadership: Leadership
}
