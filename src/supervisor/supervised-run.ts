/** What a supervisor holds once it knows that the run is its own. */
import type { Actor } from '../core/actor.ts'
import type { Environment } from '../config/environment.ts'
import type { Fence, Run } from '../core/run.ts'
import type { Store, TaskView } from '../storage/store.ts'
import type { Host } from '../processes/identity.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import type { Ticket } from './start/ticket.ts'

export interface ClaimedRun {
  readonly store: Store
  readonly ticket: Ticket
  readonly directory: RunDirectory
  readonly host: Host
  readonly env: Environment
  readonly fence: Fence
  /** Where the run's own processes will find us. */
  readonly socketPath: string
}

export interface SupervisedRun extends ClaimedRun {
  readonly task: TaskView
  readonly run: Run
  readonly leaseMs: number
  /** When the guard let us in, in this process's running time. */
  readonly guardedAt: number
  /** The last nudge before `run` was read: a later one may be about something that `run` does not show. */
  readonly nudgedAt: number | null
}

/** How the run's own processes reach their board. */
export interface RunSocket {
  readonly path: string
  readonly nonce: string
  /** Where a process of the run saves its writes once the socket is gone. */
  readonly lateFolder: string
  /** What was being said has been heard to its end, or for a moment at least. */
  idle(): Promise<void>
  /** The same; from now on nothing is heard any more. */
  close(): Promise<void>
}

export interface ConnectedRun extends SupervisedRun {
  readonly socket: RunSocket | null
}

export const SUPERVISOR: Actor = { kind: 'board', name: 'supervisor' }
