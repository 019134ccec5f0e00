/** Brings tournaments up to date after their entries changed. The judge is never asked here. */
import { TOURNAMENT_ACTOR } from '../core/actor.ts'
import type { TaskId } from '../core/ids.ts'
import { nextTournamentStep } from '../core/tournament/next-step.ts'
import { newRunId } from '../util/mint.ts'
import type { LeaderContext } from './dispatch-context.ts'

/** The maximum number of tournaments in one pass. */
const BATCH = 500

/** Returns the tournaments that changed. Two dispatchers may find the same tournament: the decision changes it once. */
export async function followTournaments({ store }: Pick<LeaderContext, 'store'>): Promise<readonly TaskId[]> {
  const roots = await store.openTournaments(BATCH)
  if (roots.length === 0) return []
  const found = await store.tasksById(roots.flatMap(({ tournament }) => tournament?.entries ?? []))
  const changed: TaskId[] = []
  for (const root of roots) {
    const entries = root.tournament?.entries ?? []
    const step = nextTournamentStep(
      root,
      found.filter(({ id }) => entries.includes(id)),
    )
    if (step === null || step === 'judge') continue
    const input = { task: root.id, entries: [...entries], runId: newRunId() }
    const outcome = await store.decide({
      verb: 'follow_tournament',
      board: root.board,
      actor: TOURNAMENT_ACTOR,
      input,
    })
    if (outcome.ok && outcome.result.changed) changed.push(root.id)
  }
  return changed
}
