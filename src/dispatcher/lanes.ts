/** The cards that might start now, in the order in which they should, and why the others do not. */
import type { Task } from '../core/task.ts'
import type { Agent } from '../workers/agent.ts'
import { harnessNamed } from '../workers/harnesses/index.ts'
import type { Harness } from '../workers/harness.ts'
import { readRoster } from '../workers/roster.ts'
import type { Roster } from '../workers/roster.ts'
import type { Lane } from '../storage/store.ts'
import type { Dispatching } from './dispatching.ts'
import type { Deferral, DispatchReport } from './report.ts'

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
  const heads = await Promise.all(lanes.map(async (lane) => ({ lane, tasks: await store.laneHead(lane, HEAD) })))
  const candidates: Candidate[] = []
  const deferred: Deferral[] = []
  const unassigned: DispatchReport['unassigned'] = []
  for (const { lane, tasks } of heads) {
    // In review without a reviewer: waits for a person, which is no fault.
    if (lane.agent === null) unassigned.push(...(lane.phase === 'work' ? tasks.map(({ id }) => id) : []))
    else
      for (const task of tasks) {
        const found = startable(task, lane.phase, { name: lane.agent, roster })
        if (typeof found === 'string') deferred.push({ id: task.id, reason: found })
        else candidates.push({ task, lane, ...found })
      }
  }
  return { candidates: candidates.toSorted(byRank), deferred, unassigned }
}

const byRank = (a: Candidate, b: Candidate): number => a.task.rank - b.task.rank || (a.task.id < b.task.id ? -1 : 1)

/** Who would do it and how, or why not: known before the claim, so that it costs no attempt. */
function startable(
  task: Task,
  phase: Lane['phase'],
  { name, roster }: { name: string; roster: Roster },
): Pick<Candidate, 'agent' | 'harness'> | string {
  if (phase === 'review') return `Reviews by agents cannot be started yet: muster approve ${task.id}.`
  const agent = roster.agents.get(name)
  if (agent === undefined) return unknownAgent(name, roster)
  const harness = harnessNamed(agent.harness)
  if (harness === null) return `Agent ${name} needs the harness ${agent.harness}, which cannot be started yet.`
  return harness.faultIn(task) ?? { agent, harness }
}

function unknownAgent(name: string, { faults }: Roster): string {
  const broken = faults.find(({ file }) => file.toLowerCase().endsWith(`/${name}.md`))
  if (broken) return `Agent file ${broken.file}: ${broken.fault}.`
  return `No agent is called ${name}: add agents/${name}.md, or assign the card to another.`
}
