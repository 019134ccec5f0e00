/** Answers the fact queries of verbs. Each answer takes one or two indexed statements. */
import type { FactName, FactQuery, FactTypes } from '../../core/facts.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Task } from '../../core/task.ts'
import { RUN, SAVED_VIEW, TASK } from '../rows.ts'
import { blackboardUse, membersOf, verificationsOf } from '../swarms.ts'
import { neighbourOf } from './tasks.ts'
import { EMPTY, chunks, valueList, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import { all, askAll, first } from '../tx.ts'
import type { Asking, Row } from '../tx.ts'

type Answerers = {
  readonly [N in FactName]: (
    query: { readonly fact: N } & FactTypes[N]['ask'],
    board: string,
  ) => Asking<FactTypes[N]['answer']>
}

/**
 * The condition for a parent that children wait for: not finished, and not in the trash. The function `gates` in core
 * has the same rule.
 */
export const PARENT_GATES = raw(`p.deleted_at is null and p.status not in ('done', 'archived')`)

/** The unfinished parents of a card, sorted by id. */
const unsatisfied = (board: string, child: TaskId, condition: Sql): Sql => sql`
  select l.parent_id from link l join task p on p.board = l.board and p.id = l.parent_id
  where l.board = ${board} and l.child_id = ${child} and ${PARENT_GATES} ${condition}
  order by l.parent_id`

/** A running card that uses a directory. */
export const directoryUser = (path: string, except: TaskId): Sql => sql`
  select id from task where status = 'running' and workspace_kind = 'dir' and workspace_path = ${path}
    and id <> ${except} order by id limit 1`

const UNWAIVED = raw('and l.waived_by is null')

const UNFINISHED = raw(`c.deleted_at is null and c.status not in ('done', 'archived')`)

/**
 * The condition that an unfinished card may need the folder of the card. This can be a child of the card, or another
 * card that works or will work in the same folder.
 */
const FOLDER_NEEDED = sql`
  exists (select 1 from link l join task c on c.board = l.board and c.id = l.child_id
    where l.board = task.board and l.parent_id = task.id and ${UNFINISHED})
  or exists (select 1 from task c where c.board = task.board and c.workspace_owner = task.id and ${UNFINISHED})
  or exists (select 1 from task c where c.workspace_kind = 'worktree' and c.branch = task.branch
    and c.workspace_repo = task.workspace_repo and c.id <> task.id and c.board = task.board and ${UNFINISHED})`

/** The key of the row that records that a notice was shown. */
export const noticeKey = (about: string): string => `told ${about}`

export const memoryKey = (machine: string): string => `dispatcher memory ${machine}`

/**
 * Selects the events that can change the author of the body. The index `event_body` contains these kinds. The pattern
 * has quotation marks, because events list the changed fields as JSON strings.
 */
const WRITES_BODY = raw(`kind in ('edited', 'specified', 'commands_approved')
  and data like case kind when 'commands_approved' then '%"script":true%' else '%"body"%' end`)

/** The maximum number of levels to search. No board allows more levels than this. */
const DEEPEST = 1_000

/** Runs a query for each chunk of a sorted list of ids and returns all rows. */
function* inChunks(ids: readonly TaskId[], query: (some: readonly TaskId[]) => Sql): Asking<Row[]> {
  return (yield* askAll([...chunks([...ids].sort())].map(query))).flat()
}

const ANSWERERS: Answerers = {
  *open_parents({ child }, board) {
    const rows = yield* all(unsatisfied(board, child, UNWAIVED))
    return rows.map((row) => row.parent_id as TaskId)
  },
  *unsatisfied_parents({ child }, board) {
    const rows = yield* all(unsatisfied(board, child, EMPTY))
    return rows.map((row) => row.parent_id as TaskId)
  },
  *reaches({ from, to }, board) {
    const row = yield* first(sql`
      with recursive below (id) as (
        select child_id from link where board = ${board} and parent_id = ${from}
        union
        select l.child_id from link l join below on l.board = ${board} and l.parent_id = below.id
      )
      select 1 as found from below where id = ${to} limit 1`)
    return row !== null || from === to
  },
  *link({ parent, child }, board) {
    const row = yield* first(
      sql`select waived_by from link where board = ${board} and parent_id = ${parent} and child_id = ${child}`,
    )
    return row === null ? null : { waived: row.waived_by !== null }
  },
  *cards({ ids }) {
    const rows = yield* inChunks(
      ids,
      (some) => sql`
        select id, board, title, created_by, created_by_run, status, deleted_at from task
        where id in ${valueList(some)} order by id`,
    )
    return rows.map((row) => ({
      id: row.id as TaskId,
      board: row.board as string,
      title: row.title as string,
      createdBy: row.created_by as string,
      createdByRun: row.created_by_run as Task['createdByRun'],
      status: row.status as Task['status'],
      deletedAt: row.deleted_at as number | null,
    }))
  },
  *children_among({ parent, ids }, board) {
    const rows = yield* inChunks(
      ids,
      (some) => sql`
        select child_id from link where board = ${board} and parent_id = ${parent} and child_id in ${valueList(some)}
        order by child_id`,
    )
    return rows.map((row) => row.child_id as TaskId)
  },
  *unfinished_child({ parent }, board) {
    const row = yield* first(sql`
      select c.id from link l join task c on c.board = l.board and c.id = l.child_id
      where l.board = ${board} and l.parent_id = ${parent} and ${UNFINISHED}
      union all
      select c.id from task w join task c on c.swarm = w.swarm and c.swarm_role = 'synthesizer'
      where w.id = ${parent} and w.swarm_role = 'worker' and ${UNFINISHED} order by id limit 1`)
    return row === null ? null : (row.id as TaskId)
  },
  *sweeping_parent({ child }, board) {
    const row = yield* first(sql`
      select p.id from link l join task p on p.board = l.board and p.id = l.parent_id
      where l.board = ${board} and l.child_id = ${child} and p.workspace_state = 'sweeping'
      order by p.id limit 1`)
    return row === null ? null : (row.id as TaskId)
  },
  *notice_shown({ about }) {
    return (yield* first(sql`select 1 as found from meta where key = ${noticeKey(about)}`)) !== null
  },
  *body_writer({ task }, board) {
    if (task === null) return null
    const row = yield* first(sql`
      select actor from event where board = ${board} and task_id = ${task} and ${WRITES_BODY} order by id desc limit 1`)
    return row === null ? null : String(row.actor)
  },
  *saved_view({ name }) {
    const row = yield* first(sql`select ${SAVED_VIEW.columns} from saved_view where name = ${name}`)
    return row === null ? null : SAVED_VIEW.decode(row)
  },
  *series_card({ series, slot }) {
    if (slot === null) return null
    const row = yield* first(sql`select id from task where series = ${series} and series_slot = ${slot}`)
    return row === null ? null : (row.id as TaskId)
  },
  *neighbour({ place, direction, except }, board) {
    if (place === null) return null
    const { status, from } = place
    const row = yield* first(neighbourOf({ board, status, except, from, direction }))
    return row === null ? null : { id: row.id as TaskId, rank: Number(row.rank) }
  },
  *verification({ synthesizer }) {
    if (synthesizer === null) return null
    return (yield* verificationsOf([synthesizer]))[0]?.verification ?? null
  },
  *swarm_members({ root }) {
    return root === null ? [] : yield* membersOf(root)
  },
  *blackboard_use({ root, key }) {
    return yield* blackboardUse(root, key)
  },
  *by_key({ key }, board) {
    if (key === null) return null
    const row = yield* first(sql`
      select ${TASK.columns} from task
      where board = ${board} and idempotency_key = ${key} and status <> 'archived'`)
    return row === null ? null : TASK.decode(row)
  },
  *last_attempt({ task }, board) {
    const row = yield* first(
      sql`select coalesce(max(attempt), 0) as attempt from run where board = ${board} and task_id = ${task}`,
    )
    return Number(row?.attempt ?? 0)
  },
  *run_results({ task }, board) {
    if (task === null) return null
    const ended = (condition: Sql): Sql => sql`select ${RUN.columns} from run
      where board = ${board} and task_id = ${task} and ended_at is not null and ${condition}
      order by attempt desc limit 1`
    const [[finished] = [], [changed] = []] = yield* askAll([
      ended(raw(`outcome in ('completed', 'review_requested') and summary is not null`)),
      ended(raw('changes is not null')),
    ])
    const last = changed ?? finished
    if (last === undefined) return null
    const { changes, machine, dispatcher } = RUN.decode(last)
    return { summary: finished === undefined ? null : RUN.decode(finished).summary, changes, machine, dispatcher }
  },
  *attempt_starts({ task, most }, board) {
    const rows = yield* all(sql`
      select started_at from run where board = ${board} and task_id = ${task} and kind = 'agent' and phase <> 'check'
        and (outcome is null or outcome not in ('rate_limited', 'stopped'))
      order by started_at desc limit ${most}`)
    return rows.map((row) => Number(row.started_at))
  },
  *plan_starts({ most }, board) {
    const rows = yield* all(sql`
      select plan_started_at from task where board = ${board} and plan_started_at is not null
      order by plan_started_at desc limit ${most}`)
    return rows.map((row) => Number(row.plan_started_at))
  },
  *worked_on({ agent, ids }, board) {
    if (agent === null) return []
    const rows = yield* inChunks(
      ids,
      (some) => sql`
        select distinct task_id from run where board = ${board} and task_id in ${valueList(some)} and agent = ${agent}
          and phase = 'work' and kind = 'agent' and (outcome is null or outcome <> 'spawn_failed')
        order by task_id`,
    )
    return rows.map((row) => row.task_id as TaskId)
  },
  *run_exists({ id }) {
    const row = yield* first(sql`select board, task_id, ended_at from run where id = ${id}`)
    if (row === null) return null
    return { board: String(row.board), taskId: row.task_id as TaskId, ended: row.ended_at !== null }
  },
  *run_creations({ run }) {
    if (run === null) return { cards: 0, depth: 0 }
    const [made = [], above = []] = yield* askAll([
      sql`select count(*) as n from task where created_by_run = ${run}`,
      sql`
        with recursive above (task_id, depth) as (
          select task_id, 1 from run where id = ${run}
          union all
          select r.task_id, above.depth + 1 from above
            join task t on t.id = above.task_id join run r on r.id = t.created_by_run
          where above.depth < ${DEEPEST}
        )
        select max(depth) as depth from above`,
    ])
    return { cards: Number(made[0]?.n ?? 0), depth: Number(above[0]?.depth ?? 1) }
  },
  *open_runs({ machine, agent, account }, board) {
    const row = yield* first(sql`
      select count(*) filter (where machine = ${machine}) as machine,
        count(*) filter (where board = ${board}) as board,
        count(*) filter (where agent = ${agent}) as agent,
        count(*) filter (where account = ${account}) as account
      from run where ended_at is null and kind = 'agent'`)
    return {
      machine: Number(row?.machine ?? 0),
      board: Number(row?.board ?? 0),
      agent: Number(row?.agent ?? 0),
      account: Number(row?.account ?? 0),
    }
  },
  *comment({ id }) {
    if (id === null) return null
    const row = yield* first(sql`select task_id from comment where id = ${id}`)
    return row === null ? null : { taskId: row.task_id as TaskId }
  },
  *attachment({ id }) {
    const row = yield* first(sql`select task_id, filename from attachment where id = ${id}`)
    return row === null ? null : { taskId: row.task_id as TaskId, filename: row.filename as string }
  },
  *board_use(_, board) {
    const [cards = [], [open] = []] = yield* askAll([
      sql`select id from task where board = ${board} limit 1`,
      sql`select task_id from run where board = ${board} and ended_at is null order by task_id limit 1`,
    ])
    return { hasCards: cards.length > 0, running: open === undefined ? null : (open.task_id as TaskId) }
  },
  *directory_user({ path, except }) {
    if (path === '') return null
    const row = yield* first(directoryUser(path, except))
    return row === null ? null : (row.id as TaskId)
  },
  *branch_holders({ repo, branch, except }) {
    if (repo === null || branch === null) return []
    const rows = yield* all(sql`
      select id, board, status, deleted_at, workspace_state, workspace_machine, workspace_host, workspace_owner,
        case when ${FOLDER_NEEDED} then 1 else 0 end as needed
      from task
      where workspace_kind = 'worktree' and branch = ${branch} and workspace_repo = ${repo} and id <> ${except}
        and (status = 'running' or workspace_state in ('live', 'kept', 'sweeping'))
      order by case when status in ('done', 'archived') or deleted_at is not null then 1 else 0 end, updated_at desc, id
      limit ${HOLDERS}`)
    return rows.map((row) => ({
      id: row.id as TaskId,
      board: String(row.board),
      status: row.status as Task['status'],
      deleted: row.deleted_at !== null,
      state: row.workspace_state as Task['workspace']['state'],
      machine: row.workspace_machine as string | null,
      host: row.workspace_host as string | null,
      owner: row.workspace_owner as TaskId | null,
      needed: Number(row.needed) === 1,
    }))
  },
  *folder_user({ owner, repo, branch }, board) {
    const [[sharer] = [], [next] = []] = yield* askAll([
      sql`
        select id from task where board = ${board} and workspace_owner = ${owner} and deleted_at is null
          and (status not in ('done', 'archived') or exists (select 1 from link l
            join task c on c.board = l.board and c.id = l.child_id
            where l.board = task.board and l.parent_id = task.id and ${UNFINISHED}))
        order by id limit 1`,
      sql`
        select id from task where workspace_kind = 'worktree' and branch = ${branch} and workspace_repo = ${repo}
          and id <> ${owner} and board = ${board} and deleted_at is null and status not in ('done', 'archived')
        order by id limit 1`,
    ])
    return ((sharer ?? next)?.id ?? null) as TaskId | null
  },
}

/** The maximum number of cards on a branch to return. A few cards are enough, because unfinished cards come first. */
const HOLDERS = 8

export function answerFact(query: FactQuery, board: string): Asking<unknown> {
  // The cast is needed because each entry of the table has its own type, and a query names the entry.
  return (ANSWERERS[query.fact] as (query: FactQuery, board: string) => Asking<unknown>)(query, board)
}

/** The open runs of some cards. */
export const openRunsOf = (board: string, tasks: readonly TaskId[], lock: Sql): Sql => sql`
  select ${RUN.columns} from run where board = ${board} and task_id in ${valueList(tasks)} and ended_at is null
  order by task_id ${lock}`
