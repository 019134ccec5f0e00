/**
 * A swarm: a root that holds the goal, workers that work in parallel, a verifier that judges their work, and a
 * synthesizer that runs only after the verifier has approved the work. The members share a blackboard. This file does
 * not load the schema library, because commands that only read run without it.
 */
import type { RunId, TaskId } from './ids.ts'
import { isDone } from './status.ts'
import type { Task } from './task.ts'
import type { Status, SwarmRole } from './vocabulary.ts'

/** The limits of a blackboard. A briefing shows only a part of a full one. */
export const BLACKBOARD_LIMITS = { keys: 100, key: 100, value: 8_192 } as const

/** The actor that stops a swarm whose verifier requested changes too often. */
export const SWARM_NAME = 'muster:swarm'

type RoleFields = Pick<Task, 'swarm' | 'swarmRole'>

export const isVerifier = ({ swarmRole }: Pick<Task, 'swarmRole'>): boolean => swarmRole === 'verifier'
export const isSynthesizer = ({ swarmRole }: Pick<Task, 'swarmRole'>): boolean => swarmRole === 'synthesizer'

/** Whether both cards belong to the same swarm. */
export const areInOneSwarm = (one: RoleFields, other: RoleFields): boolean =>
  one.swarm !== null && one.swarm === other.swarm

export interface SwarmMember extends Pick<Task, 'id' | 'title' | 'status' | 'assignee' | 'deletedAt'> {
  readonly role: SwarmRole
}

/** The verifier of a synthesizer, as its gate reads it. */
export interface Verification {
  /** The verifier. Null means that it was removed for good. */
  readonly verifier: {
    readonly id: TaskId
    readonly status: Status
    readonly deleted: boolean
    /**
     * Whether the verifier may be restored from the archive or the trash now. It may not while a folder of its workers
     * is being removed.
     */
    readonly restorable: boolean
  } | null
  /** Whether a person let the synthesizer start without an approval. */
  readonly waived: boolean
}

/**
 * Whether the synthesizer may start. Only a verifier with the status `done` has approved the work. An archived verifier
 * satisfies the dependency without an approval. Null means that the card is not a synthesizer.
 */
export const isApproved = (verification: Verification | null): boolean =>
  verification === null ||
  verification.waived ||
  (verification.verifier !== null && !verification.verifier.deleted && isDone(verification.verifier.status))

/** An entry of the blackboard of a swarm. */
export interface BlackboardEntry {
  readonly board: string
  readonly root: TaskId
  readonly key: string
  readonly value: string
  /** The actor that wrote the entry last, and its run. The run is null for a person. */
  readonly author: string
  readonly runId: RunId | null
  readonly writtenAt: number
}
