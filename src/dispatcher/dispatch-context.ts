/** The context of each step of a pass. */
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
  /** The environment of the dispatcher. Agents get only the allowed variables of it. */
  readonly env: Environment
  /** The path of the bundled supervisor. */
  readonly supervisorPath: string
  /** Called with the folder of the copy that runs use. It stays when an upgrade removes the program. */
  readonly onCopy?: (folder: string) => void
  /** The pass starts only cards of this board. If null, it starts cards of all boards. */
  readonly onlyBoard: string | null
  /** The maximum number of runs that this pass may start. If null, only the caps limit them. */
  readonly max: number | null
  /** Where the next pass continues in long lanes. If null, each pass reads whole lanes. */
  readonly lanePositions: LanePositions | null
  /** Called when a supervisor that this process started has ended. */
  readonly onSupervisorExit?: () => void
}

/** The context of the active dispatcher of this machine. */
export interface LeaderContext extends DispatchContext {
  readonly leadership: Leadership
}
