import type { Task } from '../task.ts'
import { awaitsPick, fieldOf, isWithoutEntries, judgePicks } from './tournament.ts'

type Root = Pick<Task, 'tournament' | 'status' | 'resumeStatus' | 'blockedBy' | 'pickSince' | 'held'>

/**
 * What the board does with a tournament without a result:
 *
 * - `resume`: end the block or the wait for a person, because an entry is playing again or can win now.
 * - `block`: every entry is out.
 * - `ask`: every entry has passed or is out, and a person picks the winner.
 * - `finish`: the judge would have only one entry to choose, so this entry wins, and no model is asked.
 * - `judge`: every entry has passed or is out, and the judge picks. A loop beside the dispatcher asks it.
 */
export type TournamentStep = 'resume' | 'block' | 'ask' | 'finish' | 'judge'

export function nextTournamentStep(
  root: Root,
  entries: readonly Pick<Task, 'status' | 'deletedAt'>[],
): TournamentStep | null {
  const { tournament, status } = root
  if (tournament === null || !awaitsPick(root)) return null
  const { playing, passed } = fieldOf(entries)
  const isBlocked = isWithoutEntries(root)
  if (playing.length > 0) return isBlocked || root.pickSince !== null ? 'resume' : null
  if (status !== 'todo' && !isBlocked) return null
  if (passed.length === 0) return isBlocked ? null : 'block'
  if (root.held) return null
  if (!judgePicks(tournament)) return root.pickSince === null || isBlocked ? 'ask' : null
  if (passed.length === 1) return 'finish'
  return isBlocked ? 'resume' : 'judge'
}
