/** The reasons why a tournament waits. A tournament never starts, so it always has a reason until it has a result. */
import type { TaskId } from '../ids.ts'
import { obstacle } from '../reasons/reason.ts'
import type { Obstacle } from '../reasons/reason.ts'
import { isBlocked } from '../status.ts'
import type { Task } from '../task.ts'
import { awaitsPick, entryEnding, fieldOf, judgePicks } from '../tournament/tournament.ts'
import type { Entry } from '../tournament/tournament.ts'

const SHOWN_ENTRIES = 8

interface Waiting {
  readonly task: Task
  readonly now: number
  readonly openParents: readonly TaskId[]
  /** Absent if the caller has not read the entries. */
  readonly entries?: readonly Entry[]
}

export function tournamentObstacles({ task, now, openParents, entries }: Waiting): Obstacle[] {
  const { tournament } = task
  if (tournament === null || !awaitsPick(task) || isBlocked(task.status)) return []
  const total = tournament.entries.length
  const field = entries === undefined ? null : fieldOf(entries)
  const playing: readonly Pick<Entry, 'id'>[] = field?.playing ?? openParents.map((id) => ({ id }))
  const passed = field?.passed.length ?? null
  if (playing.length > 0)
    return [obstacle('entries_open', { open: playing.length, total, passed, entries: shown(playing, entries) })]
  if (passed === 0 && entries !== undefined && tournament.pick === null) return [noEntryLeft(task, entries)]
  const { judging } = tournament
  const failure = judging?.failure ?? null
  if (!judgePicks(tournament)) return [obstacle('pick_needed', { passed, total, failure })]
  const after = judging !== null && failure !== null && judging.after > now ? judging.after : null
  return [obstacle('judge_picks', { passed, failure }, after)]
}

const shown = (playing: readonly Pick<Entry, 'id'>[], entries: readonly Entry[] = []) =>
  playing.slice(0, SHOWN_ENTRIES).map(({ id }) => {
    const entry = entries.find((one) => one.id === id)
    return { id, title: entry?.title ?? null, status: entry?.status ?? null }
  })

export const noEntryLeft = ({ blockReason }: Pick<Task, 'blockReason'>, entries: readonly Entry[] = []): Obstacle =>
  obstacle('no_entry_left', {
    reason: blockReason ?? (entries.map(entryEnding).join('; ') || null),
    unblockable: entries.flatMap(({ id, status, deletedAt }) => (isBlocked(status) && deletedAt === null ? [id] : [])),
  })
