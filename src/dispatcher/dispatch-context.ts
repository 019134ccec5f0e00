/** What every step of a pass works with. */
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
  /** The environment that agents get the allowed part of. */
  readonly env: Environment
  /** The bundled supervisor. */
  readonly supervisorPath: string
  /** Only cards of this board; null: of all. */
  readonly onlyBoard: string | null
  /** What this pass may start at most; null: as much as fits. */
  readonly max: number | null
  /** How far long lanes were looked at; null: every pass looks at the whole of them. */
  readonly lanePositions: LanePositions | null
  /** Told when a supervisor that this process started has ended. */
  readonly onSupervisorExit?: () => void
}

/** The same, by the one active dispatcher of this machine. */
export interface LeaderContext extends DispatchContext {
  readonly leadership: Leadership
}
