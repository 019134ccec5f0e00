/** Compares the commits of a worktree card with the commits that have landed on another branch. */
import type { Changes, Run } from '../run.ts'
import type { Landed } from '../task.ts'

type EndedRun = Pick<Run, 'changes' | 'endedAt'>

/**
 * The changes of the last run that committed work after the card landed. Null means that all work of the card has
 * landed.
 */
export function unlandedChanges(runs: readonly EndedRun[], landed: Landed | null): Changes | null {
  const last = runs.findLast(({ changes }) => changes !== null && (changes.files > 0 || changes.commit !== null))
  if (last === undefined || landed === null) return last?.changes ?? null
  return (last.endedAt ?? 0) > landed.at && last.changes?.commit !== landed.tip ? last.changes : null
}

/**
 * The newest recorded commit of the card. Null means that the card has no commit, or that its agent made that commit
 * itself.
 */
export function lastKnownCommit(runs: readonly EndedRun[], landed: Landed | null): string | null {
  const newer = unlandedChanges(runs, landed)
  return newer === null ? (landed?.tip ?? null) : newer.commit
}
