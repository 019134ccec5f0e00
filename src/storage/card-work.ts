/** Reads the attempts at the cards of a list, and the progress of their children. */
import type { TaskId } from '../core/ids.ts'
import type { Dialect } from './dialect.ts'
import { childProgress, lastAttempts } from './queries/card-work.ts'
import { spentOn } from './queries/usage.ts'
import { RUN } from './rows.ts'
import { chunks } from './sql.ts'
import type { CardHistories, CardWork, ChildProgress } from './store.ts'
import { askAll, together } from './tx.ts'
import type { Asking } from './tx.ts'

/** The last attempt at each card. Cards without an attempt are left out. */
export function* workOfCards(ids: readonly TaskId[]): Asking<readonly CardWork[]> {
  const answers = yield* askAll([...chunks(ids)].map(lastAttempts))
  const last = new Map<TaskId, CardWork>()
  for (const row of answers.flat()) {
    const run = RUN.decode(row)
    const later = last.get(run.taskId)
    last.set(run.taskId, later === undefined ? workOf(run) : withOlder(later, run))
  }
  return [...last.values()]
}

function workOf(run: CardWork): CardWork {
  const { id, taskId, attempt, phase, agent, claimedBy, startedAt, endedAt, outcome, usage, checks, changes, logPath } =
    run
  return { id, taskId, attempt, phase, agent, claimedBy, startedAt, endedAt, outcome, usage, checks, changes, logPath }
}

/** Adds the checks and changes of an older attempt, if the later attempts have none. */
const withOlder = (later: CardWork, older: CardWork): CardWork => ({
  ...later,
  checks: later.checks?.output == null ? (older.checks ?? later.checks) : later.checks,
  changes: later.changes ?? older.changes,
})

/** Counts the children of some cards. Cards without children are left out. */
export function* progressOfCards(ids: readonly TaskId[]): Asking<readonly ChildProgress[]> {
  const answers = yield* askAll([...chunks(ids)].map(childProgress))
  const counted = answers.flat().map((row) => ({
    id: row.id as TaskId,
    done: Number(row.done),
    total: Number(row.total),
  }))
  return counted.filter(({ total }) => total > 0)
}

/** The last attempts, the children and the cost of some cards. */
export function* historyOfCards(engine: Dialect['engine'], ids: readonly TaskId[]): Asking<CardHistories> {
  const [work, progress, spent] = yield* together<
    [CardHistories['work'], CardHistories['progress'], CardHistories['spent']]
  >([workOfCards(ids), progressOfCards(ids), spentOnCards(engine, ids)])
  return { work, progress, spent }
}

function* spentOnCards(engine: Dialect['engine'], ids: readonly TaskId[]): Asking<CardHistories['spent']> {
  const answers = yield* askAll([...chunks(ids)].map((some) => spentOn(engine, some)))
  return answers.flat().map((row) => ({
    id: row.task_id as TaskId,
    attempts: Number(row.runs),
    costUsd: row.cost === null ? null : Number(row.cost),
    durationMs: Number(row.ms),
  }))
}
