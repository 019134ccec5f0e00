/** The cards that might start now, in the order in which they should, and why the others do not. */
import type { Task } from '../core/task.ts'
import { readRoster } from '../workers/roster.ts'
import type { Roster } from '../workers/roster.ts'
import { findRunner } from '../workers/runner.ts'
import type { Runner } from '../workers/runner.ts'
import type { Lane, Store } from '../storage/store.ts'
import type { Dispatching } from './dispatching.ts'
import type { DispatchReport } from './report.ts'

/** Cards of one lane share a fate: when one meets a full place or a pause, so do the others. */
export interface StaffedLane {
  readonly lane: Lane
  /** Null: nobody is assigned. A sentence: why whoever is assigned does not come. */
  readonly runner: Runner | string | null
}

export interface Candidate extends Runner {
  readonly task: Task
  readonly lane: StaffedLane
}

export interface Examined extends Pick<DispatchReport, 'deferred' | 'unassigned'> {
  /** One order over all lanes: priority, then age. */
  readonly candidates: readonly Candidate[]
  /** Lanes that have cards behind those that were looked at. */
  readonly longer: readonly StaffedLane[]
}

/** Enough of each lane to fill a machine; the rest has its turn when these have started. */
export const HEAD = 32
/** Where the head holds nothing that can start, so much of a lane is looked at and no more: a pass stays short. */
export const BUDGET = 128

/** The lanes that have cards, each with who works them. */
export async function findLanes({ store, options, onlyBoard }: Dispatching): Promise<readonly StaffedLane[]> {
  const roster = await readRoster(options.home)
  const lanes = (await store.lanes()).filter(({ board }) => onlyBoard === null || board === onlyBoard)
  return lanes.map((lane) => ({ lane, runner: runnerOf(lane, roster) }))
}

/** The first `depth` cards of each lane: those that might start now, and why the others do not. */
export async function examine(
  { store }: Pick<Dispatching, 'store'>,
  lanes: readonly StaffedLane[],
  depth: number,
): Promise<Examined> {
  const found = await Promise.all(lanes.map((lane) => examineLane(store, lane, depth)))
  return {
    candidates: found.flatMap(({ candidates }) => candidates).toSorted(byRank),
    deferred: found.flatMap(({ deferred }) => deferred),
    unassigned: found.flatMap(({ unassigned }) => unassigned),
    longer: found.flatMap(({ longer }) => longer),
  }
}

const byRank = (a: Candidate, b: Candidate): number => a.task.rank - b.task.rank || (a.task.id < b.task.id ? -1 : 1)

const NOTHING: Examined = { candidates: [], deferred: [], unassigned: [], longer: [] }

async function examineLane(store: Store, staffed: StaffedLane, depth: number): Promise<Examined> {
  const { lane, runner } = staffed
  // In review without a reviewer: that waits for a person, and is no fault.
  if (runner === null && lane.phase === 'review') return NOTHING
  const tasks = await store.laneHead(lane, depth)
  if (runner === null) return { ...NOTHING, unassigned: tasks.map(({ id }) => id) }
  if (typeof runner === 'string') return { ...NOTHING, deferred: tasks.map(({ id }) => ({ id, reason: runner })) }
  const faults = tasks.map((task) => ({ task, reason: runner.harness.faultIn(task) }))
  return {
    ...NOTHING,
    candidates: faults.flatMap(({ task, reason }) => (reason === null ? [{ task, lane: staffed, ...runner }] : [])),
    deferred: faults.flatMap(({ task: { id }, reason }) => (reason === null ? [] : [{ id, reason }])),
    longer: tasks.length === depth ? [staffed] : [],
  }
}

function runnerOf({ agent, phase }: Lane, roster: Roster): StaffedLane['runner'] {
  if (agent === null) return null
  const found = findRunner(agent, phase, roster)
  return 'gate' in found ? `${found.message} ${found.clears}.` : found
}
