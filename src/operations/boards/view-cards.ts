/** Builds the cards of a board from facts that were read in one snapshot. */
import type { TaskId } from '../../core/ids.ts'
import { firstObstacle } from '../cards/reasons-of-cards.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { countChecks } from '../../core/required-checks.ts'
import type { Run } from '../../core/run.ts'
import { isBlocked } from '../../core/status.ts'
import { cut } from '../../core/text.ts'
import type { BoardColumns, CardWork, ShortTask } from '../../storage/store.ts'
import { lastOutputOf } from '../runs/last-output.ts'
import type { BoardCard, CardWorkView } from './views.ts'

/** The maximum length of a text on a card of a board. The operation `show` returns the whole text. */
const TEXT_LENGTH = 200

type Facts = Pick<BoardColumns, 'shared' | 'work' | 'progress'> & {
  readonly reasons: ReadonlyMap<TaskId, readonly Reason[]>
}

export function viewCards(
  cards: readonly ShortTask[],
  { shared, work, progress, reasons }: Facts,
): Promise<readonly BoardCard[]> {
  const runs = new Map(shared.openRuns.map((run) => [run.taskId, run]))
  const works = new Map(work.map((one) => [one.taskId, one]))
  const children = new Map(progress.map(({ id, done, total }) => [id, { done, total }]))
  return Promise.all(
    cards.map(async ({ metadata: _metadata, ...task }): Promise<BoardCard> => {
      const run = runs.get(task.id)
      const last = works.get(task.id)
      return {
        ...task,
        blockReason: short(task.blockReason),
        lastError: short(task.lastError),
        question: isBlocked(task.status) ? short(task.blockReason) : null,
        reason: firstObstacle(reasons.get(task.id)),
        run: run === undefined ? null : await viewOpenRun(run, shared.now),
        work: last === undefined ? null : viewWork(last),
        progress: children.get(task.id) ?? null,
      }
    }),
  )
}

const short = (text: string | null): string | null => (text === null ? null : cut(text, TEXT_LENGTH))

async function viewOpenRun(run: Run, now: number): Promise<NonNullable<BoardCard['run']>> {
  const { id, attempt, kind, fromStatus, agent, claimedBy, startedAt, lastActivityAt } = run
  return {
    id,
    attempt,
    kind,
    fromStatus,
    by: agent ?? claimedBy,
    startedAt,
    elapsedMs: Math.max(0, now - startedAt),
    lastOutput: await lastOutputOf(run),
    lastActivityAt,
  }
}

export function viewWork(work: CardWork): CardWorkView {
  const { id, attempt, phase, agent, claimedBy, startedAt, endedAt, outcome, usage, checks, changes } = work
  return {
    run: id,
    attempt,
    phase,
    by: agent ?? claimedBy,
    startedAt,
    endedAt,
    outcome,
    costUsd: usage?.costUsd ?? null,
    tokens: usage === null ? null : tokensOf(usage),
    checks: countChecks(checks),
    changes: changes === null ? null : { files: changes.files, added: changes.added, removed: changes.removed },
  }
}

const tokensOf = ({ inputTokens, outputTokens }: NonNullable<Run['usage']>): number | null =>
  inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0)
