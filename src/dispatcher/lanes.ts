/** The cards that might start now, in the order in which they should, and why the others do not. */
import type { Task } from '../core/task.ts'
import type { Agent } from '../workers/agent.ts'
import { harnessNamed } from '../workers/harnesses/index.ts'
import type { Harness } from '../workers/harness.ts'
import { readRoster } from '../workers/roster.ts'
import type { Roster } from '../workers/roster.ts'
import type { Lane, Store } from '../storage/store.ts'
import type { Dispatching } from './dispatching.ts'
import type { DispatchReport } from './report.ts'

export interface Candidate {
  readonly task: Task
  readonly agent: Agent
  readonly harness: Harness
  /** Cards of one lane share a fate: when one meets a full place or a pause, so do the others. */
  readonly lane: Lane
}

export interface Candidates extends Pick<DispatchReport, 'deferred' | 'unassigned'> {
  readonly candidates: readonly Candidate[]
}

/** Enough of each lane to fill a machine; the rest has its turn when these have started. */
const HEAD = 32

/** One order over all lanes: priority, then age. */
export async function findCandidates({ store, options, onlyBoard }: Dispatching): Promise<Candidates> {
  const roster = await readRoster(options.home)
  const lanes = (await store.lanes()).filter(({ board }) => onlyBoard === null || board === onlyBoard)
  const found = await Promise.all(lanes.map((lane) => examineLane(store, lane, roster)))
  return {
    candidates: found.flatMap(({ candidates }) => candidates).toSorted(byRank),
    deferred: found.flatMap(({ deferred }) => deferred),
    unassigned: found.flatMap(({ unassigned }) => unassigned),
  }
}

const byRank = (a: Candidate, b: Candidate): number => a.task.rank - b.task.rank || (a.task.id < b.task.id ? -1 : 1)

const NOBODY: Candidates = { candidates: [], deferred: [], unassigned: [] }

async function examineLane(store: Store, lane: Lane, roster: Roster): Promise<Candidates> {
  if (lane.agent === null) {
    // In review without a reviewer: that waits for a person, and is no fault.
    if (lane.phase === 'review') return NOBODY
    return { ...NOBODY, unassigned: (await store.laneHead(lane, HEAD)).map(({ id }) => id) }
  }
  const runner = runnerOf(lane.agent, lane.phase, roster)
  if (typeof runner === 'string') {
    const waiting = await store.laneHead(lane, HEAD)
    return { ...NOBODY, deferred: waiting.map(({ id }) => ({ id, reason: runner })) }
  }
  // Cards that cannot start must not stand in the way of all behind them, so a head of nothing else is looked past.
  for (let limit = HEAD; ; limit *= 4) {
    const tasks = await store.laneHead(lane, limit)
    const faults = new Map(tasks.map((task) => [task, runner.harness.faultIn(task)]))
    const candidates = tasks.filter((task) => faults.get(task) === null).map((task) => ({ task, lane, ...runner }))
    if (candidates.length === 0 && tasks.length === limit) continue
    const deferred = tasks.flatMap((task) => {
      const reason = faults.get(task) ?? null
      return reason === null ? [] : [{ id: task.id, reason }]
    })
    return { ...NOBODY, candidates, deferred }
  }
}

/** Who would do the work of a lane and how, or why nobody does: known before the claim, so that it costs no attempt. */
function runnerOf(name: string, phase: Lane['phase'], roster: Roster): Pick<Candidate, 'agent' | 'harness'> | string {
  if (phase === 'review') return 'Reviews by agents cannot be started yet: a person approves it, or requests changes.'
  const agent = roster.agents.get(name)
  if (agent === undefined) return unknownAgent(name, roster)
  const harness = harnessNamed(agent.harness)
  return harness === null
    ? `Agent ${name} needs the harness ${agent.harness}, which cannot be started yet.`
    : { agent, harness }
}

function unknownAgent(name: string, { faults }: Roster): string {
  const broken = faults.find(({ file }) => file.toLowerCase().endsWith(`/${name}.md`))
  if (broken) return `Agent file ${broken.file}: ${broken.fault}.`
  return `No agent is called ${name}: add agents/${name}.md, or assign the card to another.`
}
