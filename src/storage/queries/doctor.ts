/**
 * The rules that the stored data must obey. Each rule finds the rows that break it. If a repair is safe, the rule also
 * repairs these rows.
 */
import { INDEXED_LISTS } from '../../core/card-fields.ts'
import type { CardFieldName } from '../../core/card-fields.ts'
import { nextLook, rankOf } from '../../core/limits/deadlines.ts'
import type { TaskId } from '../../core/ids.ts'
import { BOARD, RUN, TASK, columnName } from '../rows.ts'
import { raw, sql } from '../sql.ts'
import type { Sql, SqlValue } from '../sql.ts'
import { all, run } from '../tx.ts'
import type { Row, Tx } from '../tx.ts'

/** A row that breaks a rule. `now` is the correct value. Null means that the correct value is unknown. */
export interface BrokenRow {
  readonly board: string
  readonly id: string
  readonly was: SqlValue
  readonly now: SqlValue
}

export interface DoctorRule {
  readonly name: string
  readonly message: string
  find(now: number): Tx<readonly BrokenRow[]>
  /** Writes the correct values. This is absent if only a person can decide on the correct values. */
  repair?(faults: readonly BrokenRow[]): Tx<void>
}

const faultOf = (row: Row): BrokenRow => ({
  board: String(row.board),
  id: String(row.id),
  was: row.was ?? null,
  now: row.now ?? null,
})

/**
 * A rule in SQL: a query that returns `board, id, was, now`, and one statement that repairs all rows that the query
 * finds.
 */
const bySql = (name: string, message: string, { find, fix }: { find: string; fix?: string }): DoctorRule => ({
  name,
  message,
  *find() {
    return (yield* all(raw(find))).map(faultOf)
  },
  ...(fix === undefined ? {} : { repair: () => run(raw(fix)) }),
})

const RECOUNT = `(select count(*) from link l join task p on p.board = l.board and p.id = l.parent_id
  where l.board = task.board and l.child_id = task.id and l.waived_by is null
    and p.deleted_at is null and p.status not in ('done', 'archived'))`

const UNINDEXED = 'not exists (select 1 from task_text where task_text.id = task.id)'

export const RULES: readonly DoctorRule[] = [
  bySql('open_parents', 'has a wrong count of open parents', {
    find: `select board, id, open_parents as was, ${RECOUNT} as now from task where open_parents <> ${RECOUNT}`,
    fix: `update task set open_parents = ${RECOUNT} where open_parents <> ${RECOUNT}`,
  }),
  bySql('waiting_without_parents', 'waits although it has no open parent', {
    find: `select board, id, status as was, 'ready' as now from task
      where status = 'todo' and open_parents = 0 and tournament is null and deleted_at is null`,
    fix: `update task set status = 'ready', block_kind = null, block_reason = null, blocked_by = null
      where status = 'todo' and open_parents = 0 and tournament is null and deleted_at is null`,
  }),
  bySql('ready_with_parents', 'is ready although it has an open parent', {
    find: `select board, id, status as was, 'todo' as now from task
      where status = 'ready' and open_parents > 0 and deleted_at is null`,
    fix: `update task set status = 'todo' where status = 'ready' and open_parents > 0 and deleted_at is null`,
  }),
  bySql('current_run', 'is running without an open run of its own', {
    find: `select board, id, current_run_id as was, null as now from task
      where current_run_id is not null and not exists (select 1 from run
        where run.id = task.current_run_id and run.board = task.board and run.task_id = task.id and run.ended_at is null)`,
  }),
  bySql('orphaned_run', 'has an open run that is not its current run', {
    find: `select run.board, run.task_id as id, run.id as was, null as now from run
      join task on task.board = run.board and task.id = run.task_id
      where run.ended_at is null and task.current_run_id is distinct from run.id`,
  }),
  bySql('blocked_without_reason', 'is blocked without a reason', {
    find: `select board, id, status as was, 'needs_input' as now from task where status = 'blocked' and block_kind is null`,
    fix: `update task set block_kind = 'needs_input', block_reason = 'unknown' where status = 'blocked' and block_kind is null`,
  }),
  bySql('search_index', 'is missing from the search index', {
    find: `select board, id, null as was, null as now from task where ${UNINDEXED}`,
    // Writing the title runs the trigger that updates the search index.
    fix: `update task set title = title where ${UNINDEXED}`,
  }),
  {
    name: 'overdue_unseen',
    message: 'has a deadline that Muster would notice too late',
    *find(now) {
      const rows = yield* all(sql`select ${TASK.columns} from task
        where deleted_at is null and (status in ('running', 'scheduled') or cooldown_until is not null or guard_until is not null)`)
      const runs = (yield* all(sql`select ${RUN.columns} from run where ended_at is null`)).map((row) =>
        RUN.decode(row),
      )
      return rows.flatMap((row): BrokenRow[] => {
        const task = TASK.decode(row)
        const look = nextLook(task, runs.find((candidate) => candidate.id === task.currentRunId) ?? null, now)
        const late = look !== null && (task.dueAt === null || task.dueAt > look)
        return late ? [{ board: task.board, id: task.id, was: task.dueAt, now: look }] : []
      })
    },
    *repair(faults) {
      for (const { id, now } of faults) yield* run(sql`update task set due_at = ${now} where id = ${id}`)
    },
  },
  {
    name: 'rank',
    message: 'has the wrong place in its queue',
    *find() {
      const faults: BrokenRow[] = []
      for (const row of yield* all(sql`select ${BOARD.columns} from board order by slug`)) {
        const board = BOARD.decode(row)
        // Computes the ranks like `rankOf`, but for a whole board at once.
        const step = -rankOf({ createdAt: 0, priority: 1, rankShift: 0 }, board)
        const found =
          yield* all(sql`select board, id, rank as was, created_at - priority * ${step} + rank_shift as now from task
          where board = ${board.slug} and rank <> created_at - priority * ${step} + rank_shift`)
        for (const row of found) faults.push(faultOf(row))
      }
      return faults
    },
    *repair(faults) {
      for (const { id, now } of faults) yield* run(sql`update task set rank = ${now} where id = ${id}`)
    },
  },
  {
    name: 'lapsed_lease',
    message: 'is running, but its supervisor has stopped reporting: muster up ends the run',
    *find(now) {
      const rows = yield* all(sql`select board, task_id as id, lease_until as was from run
        where ended_at is null and kind = 'agent' and lease_until < ${now} order by task_id`)
      return rows.map(faultOf)
    },
  },
  ...INDEXED_LISTS.map(indexRule),
  {
    name: 'cycle',
    message: 'waits for itself through its parents',
    *find() {
      const links = yield* all(sql`select board, parent_id, child_id from link order by board, parent_id, child_id`)
      const boards = new Map<TaskId, string>(links.map((link) => [link.child_id as TaskId, String(link.board)]))
      return inCycles(links).map((id) => ({ board: boards.get(id) ?? '', id, was: null, now: null }))
    },
  },
]

/** The rule that `card_value` has a row for each value of a list field. */
function indexRule(field: CardFieldName): DoctorRule {
  const column = raw(columnName(field))
  return {
    name: field,
    message: `cannot be found by its ${field}`,
    *find() {
      const cards = yield* all(sql`select board, id, ${column} as own from task where ${column} <> '[]'`)
      const indexed = yield* all(sql`select board, task_id, value from card_value where field = ${field}`)
      return wronglyIndexed(cards, indexed)
    },
    *repair(faults) {
      for (const { board, id, now } of faults) {
        yield* run(sql`delete from card_value where board = ${board} and task_id = ${id} and field = ${field}`)
        for (const value of JSON.parse(String(now)) as string[])
          yield* run(
            sql`insert into card_value (board, field, value, task_id) values (${board}, ${field}, ${value}, ${id})`,
          )
      }
    },
  }
}

/**
 * The cards whose rows in `card_value` differ from the values in their list. Rows of cards that do not exist are found
 * too.
 */
function wronglyIndexed(cards: readonly Row[], indexed: readonly Row[]): BrokenRow[] {
  const found = new Map<string, { board: string; id: string; own: string[]; indexed: string[] }>()
  const entry = (board: unknown, id: unknown) => {
    const key = `${String(board)} ${String(id)}`
    const known = found.get(key) ?? { board: String(board), id: String(id), own: [], indexed: [] }
    found.set(key, known)
    return known
  }
  for (const card of cards) entry(card.board, card.id).own.push(...(JSON.parse(String(card.own)) as string[]))
  for (const { board, task_id, value } of indexed) entry(board, task_id).indexed.push(String(value))
  return [...found.values()]
    .map(({ board, id, own, indexed: values }) => ({
      board,
      id,
      was: JSON.stringify(values.toSorted()),
      now: JSON.stringify(own.toSorted()),
    }))
    .filter(({ was, now }) => was !== now)
}

const CARDS_BY_GROUP = raw(`select board, status, coalesce(assignee, '') as assignee, count(*) as n from task
  where deleted_at is null group by 1, 2, 3`)

/** Finds the counters that differ from the number of cards. */
export const wrongCounts = (): Sql => sql`
  select board, status, assignee, sum(counted) as counted, sum(cards) as cards from (
    select board, status, assignee, n as counted, 0 as cards from tally
    union all
    select board, status, assignee, 0, n from (${CARDS_BY_GROUP}) recounted
  ) compared
  group by board, status, assignee having sum(counted) <> sum(cards) order by board, status, assignee`

export const recount = (): readonly Sql[] => [
  sql`delete from tally`,
  sql`insert into tally (board, status, assignee, n) ${CARDS_BY_GROUP}`,
]

/**
 * Finds cards in cycles. Cards without parents and cards without children are removed repeatedly, until only cycles
 * remain.
 */
function inCycles(links: readonly Row[]): TaskId[] {
  const peel = (
    from: 'parent_id' | 'child_id',
    to: 'parent_id' | 'child_id',
    alive: ReadonlySet<TaskId>,
  ): Set<TaskId> => {
    const count = new Map<TaskId, number>([...alive].map((id) => [id, 0]))
    const next = new Map<TaskId, TaskId[]>()
    for (const link of links) {
      const [source, target] = [link[from] as TaskId, link[to] as TaskId]
      if (!alive.has(source) || !alive.has(target)) continue
      count.set(target, (count.get(target) ?? 0) + 1)
      const targets = next.get(source)
      if (targets) targets.push(target)
      else next.set(source, [target])
    }
    const free = [...count].filter(([, waits]) => waits === 0).map(([id]) => id)
    for (let id = free.pop(); id !== undefined; id = free.pop()) {
      count.delete(id)
      for (const target of next.get(id) ?? []) {
        const left = (count.get(target) ?? 0) - 1
        count.set(target, left)
        if (left === 0) free.push(target)
      }
    }
    return new Set(count.keys())
  }
  const all = new Set(links.flatMap((link) => [link.parent_id as TaskId, link.child_id as TaskId]))
  return [...peel('child_id', 'parent_id', peel('parent_id', 'child_id', all))].sort()
}
