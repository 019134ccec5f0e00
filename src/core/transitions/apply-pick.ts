/** The one transaction of a pick: the result of the winner, the end of the tournament, and the losers. */
import type { Actor } from '../actor.ts'
import { accept } from '../decision.ts'
import type { Accepted, Change, ScopeRows } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import type { FactTypes } from '../facts.ts'
import type { RunId, TaskId } from '../ids.ts'
import { completeMove, requestReviewMove } from '../moves.ts'
import type { Move } from '../moves.ts'
import { isArchived } from '../status.ts'
import type { Run } from '../run.ts'
import type { Task, Workspace } from '../task.ts'
import type { JudgeUsage, Tournament } from '../tournament/tournament.ts'
import { addJudgeUsage } from '../tournament/judge-usage.ts'
import { taskResult } from './guards.ts'
import type { TaskResult } from './guards.ts'
import { syntheticRun } from './runs.ts'
import { archiveCard } from './trash.ts'

export interface PickResult extends TaskResult {
  /** The losers whose runs end first. */
  readonly stopping: readonly TaskId[]
}

interface Around {
  readonly rows: ScopeRows
  readonly actor: Actor
  readonly now: number
}

export interface Picked {
  readonly root: Task
  readonly tournament: Tournament
  readonly winner: Task
  readonly left: FactTypes['run_results']['answer']
  readonly run: { readonly id: RunId; readonly attempt: number }
  readonly by: string
  readonly reason: string | null
  /** The usage of the last question to the judge. */
  readonly usage: JudgeUsage | null
  readonly isJudged: boolean
}

export function applyPick(around: Around, picked: Picked): Accepted<PickResult> {
  const { root, winner, run } = picked
  const move = finishRoot(picked, around.now)
  const losers = archiveLosers(around, picked)
  return accept(
    { ...taskResult(root, move.patch.status, { runId: run.id }), stopping: losers.stopping },
    {
      // The root is written first: when a loser is archived, the store moves the children of the loser, and the root
      // is one of them.
      changes: [
        handOffRun(picked, around.now),
        { op: 'update_task', id: root.id, patch: move.patch },
        ...restoreWinner(winner),
        ...losers.changes,
      ],
      events: [pickedEvent(picked), ...move.events, ...losers.events],
    },
  )
}

/** A tournament with a reviewer goes to its review. Otherwise it is done. */
function finishRoot({ root, tournament, winner, left, run, ...picked }: Picked, now: number): Move {
  const { result, metadata } = winner
  const summary = left?.summary ?? result
  const move =
    root.reviewer === null
      ? completeMove(root, { summary, result, metadata }, { now, runId: run.id })
      : requestReviewMove(root, { reviewer: null, summary: result ?? summary, metadata, now, runId: run.id })
  const { by, reason, isJudged } = picked
  const order = isJudged ? (tournament.judging?.order ?? null) : null
  return {
    patch: {
      ...move.patch,
      workspace: sharedWorkspace(winner),
      branch: winner.branch,
      base: winner.base,
      landed: winner.landed,
      startedAt: root.startedAt ?? winner.startedAt,
      pickSince: null,
      tournament: { ...tournament, pick: { winner: winner.id, agent: winner.assignee, by, reason, at: now, order } },
    },
    events: move.events,
  }
}

/** The root works in the folder of the winner, so `diff`, `land`, `checkout` and its reviewer see the winner's work. */
const sharedWorkspace = ({ id, workspace }: Task): Workspace => ({
  ...workspace,
  owner: workspace.kind === 'dir' ? null : (workspace.owner ?? id),
})

/** The hand-off of the winner as a run of the root, with the usage of the judge. */
function handOffRun({ root, tournament, winner, left, run, by, usage }: Picked, now: number): Change {
  const outcome = root.reviewer === null ? 'completed' : 'review_requested'
  const spent = addJudgeUsage(tournament.judging?.usage ?? null, usage)
  const { machine = null, dispatcher = null, changes = null } = left ?? {}
  return syntheticRun(
    root,
    { ...run, now, by, outcome },
    {
      summary: left?.summary ?? winner.result,
      metadata: winner.metadata,
      changes,
      machine,
      dispatcher,
      usage: spent === null ? null : usageOf(spent),
    },
  )
}

function usageOf({ inputTokens, outputTokens, costUsd }: JudgeUsage): NonNullable<Run['usage']> {
  const judge = { inputTokens, outputTokens, costUsd }
  return { ...judge, judge }
}

/** An entry that lost an earlier pick is archived. If it wins now, it is done again. */
const restoreWinner = ({ id, status }: Task): Change[] =>
  isArchived(status) ? [{ op: 'update_task', id, patch: { status: 'done', archivedFrom: null } }] : []

interface Losers {
  readonly changes: readonly Change[]
  readonly events: readonly EventDraft[]
  readonly stopping: readonly TaskId[]
}

function archiveLosers(around: Around, { root, tournament, winner }: Picked): Losers {
  const reason = `${winner.id} won the tournament ${root.id}`
  const decided = tournament.entries.flatMap((id) => {
    const entry = around.rows.tasks.get(id)
    const isOver = entry === undefined || entry.deletedAt !== null || isArchived(entry.status)
    if (isOver || id === winner.id) return []
    const decision = archiveCard(around, entry, reason)
    return decision.ok ? [{ id, decision }] : []
  })
  return {
    changes: decided.flatMap(({ decision }) => decision.changes),
    events: decided.flatMap(({ decision }) => decision.events),
    stopping: decided.flatMap(({ id, decision }) => (decision.result.pending ? [id] : [])),
  }
}

const pickedEvent = ({ root, tournament, winner, run, reason, isJudged }: Picked): EventDraft => ({
  kind: 'picked',
  taskId: root.id,
  runId: run.id,
  data: {
    winner: winner.id,
    agent: winner.assignee,
    reason,
    order: isJudged ? (tournament.judging?.order ?? null) : null,
  },
})
