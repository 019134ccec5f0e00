/** A run, with everything that its supervisor needs. */
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
  /** The path of the socket on which processes of the run reach this supervisor. */
  readonly socketPath: string
  /** A signal that aborts when this supervisor is asked to stop. */
  readonly shutdown: AbortSignal
}

export interface SupervisedRun extends ClaimedRun {
  readonly task: TaskView
  readonly run: Run
  readonly leaseMs: number
  /** The time at which the guard succeeded, by the monotonic clock. */
  readonly guardedAt: number
  /** The last nudge before `run` was read. A later nudge may announce a change that `run` does not contain yet. */
  readonly nudgedAt: number | null
}

/** The socket on which the processes of a run send requests to their supervisor. */
export interface RunSocket {
  readonly path: string
  readonly nonce: string
  /** The folder in which processes of the run save their requests after the socket is closed. */
  readonly lateFolder: string
  /** Waits a short time until the current requests are answered. */
  idle(): Promise<void>
  /** Refuses new requests, and waits until the current requests are answered. */
  close(): Promise<void>
}

export interface ConnectedRun extends SupervisedRun {
  readonly socket: RunSocket | null
}

export const SUPERVISOR: Actor = { kind: 'board', name: 'supervisor' }
