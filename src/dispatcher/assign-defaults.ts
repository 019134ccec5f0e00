/** Assigns unassigned ready cards to the default agent of their board. */
import type { Board } from '../core/board.ts'
import { DISPATCHER_ACTOR } from '../core/actor.ts'
import type { LeaderContext } from './dispatch-context.ts'
import type { StaffedLane } from './lanes/lanes.ts'
import { LANE_HEAD, defaultOf } from './lanes/lanes.ts'
import type { DispatchReport } from './report.ts'

export async function assignDefaults(
  { store }: LeaderContext,
  lanes: readonly StaffedLane[],
  boards: readonly Board[],
): Promise<DispatchReport['autoAssigned']> {
  const assigned: DispatchReport['autoAssigned'] = []
  for (const { lane, assignment } of lanes) {
    const agent = defaultOf(lane.board, boards)
    if (assignment !== 'default' || agent === null) continue
    for (const { id } of await store.laneHead(lane, LANE_HEAD)) {
      const input = { task: id, assignee: agent, source: 'default' } as const
      const outcome = await store.decide({ verb: 'assign', board: lane.board, actor: DISPATCHER_ACTOR, input })
      if (outcome.ok) assigned.push({ id, board: lane.board, agent })
    }
  }
  return assigned
}
