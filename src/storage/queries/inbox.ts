/**
 * Queries for the cards that wait for a person. Each query reads one range of a partial index, in the order of the
 * ranks.
 */
import type { CardInboxKind } from '../../core/inbox.ts'
import type { TaskId } from '../../core/ids.ts'
import { BLOCK_KINDS } from '../../core/vocabulary.ts'
import type { BlockKind } from '../../core/vocabulary.ts'
import { INBOX_MARK, LISTED_TASK } from '../rows.ts'
import { EMPTY, raw, sql, valueList } from '../sql.ts'
import type { Sql } from '../sql.ts'
import type { LanePlace } from '../store.ts'

/** The part of the inbox to read, on one board. */
export interface InboxRange {
  readonly board: string
  readonly now: number
  readonly most: number
  /** The position after which the page starts. Null means the beginning. */
  readonly after: LanePlace | null
  /** The only card to read. Null means any card. */
  readonly only: TaskId | null
  /** Whether to include cards that a person hid. With `only`, only these cards are returned. */
  readonly hidden: boolean | 'only'
}

const ofBlock = (kind: BlockKind): Sql => raw(`status = 'blocked' and block_kind = '${kind}' and deleted_at is null`)

const blockKinds = (...kinds: readonly BlockKind[]): readonly Sql[] => kinds.map(ofBlock)

const ASKED_OR_BUDGET = BLOCK_KINDS.filter((kind) => !['needs_input', 'breaker', 'attempts'].includes(kind))

export const IN_REVIEW = `status = 'review' and (breaker_open = 1 or reviewer is null) and deleted_at is null
  and held = 0 and commands_approved = 1`

/**
 * The conditions of each kind of inbox item. Each condition repeats the text of an index predicate, so that the engine
 * uses the index.
 */
export const INBOX_SOURCES: Readonly<Record<Exclude<CardInboxKind, 'agent'>, readonly Sql[]>> = {
  question: [...blockKinds('needs_input'), raw(`status = 'blocked' and block_kind is null and deleted_at is null`)],
  approval: [raw(`commands_approved = 0 and status in ('ready', 'review') and deleted_at is null and held = 0`)],
  review: [raw(`${IN_REVIEW} and breaker_open = 1`)],
  pick: [raw(`status = 'todo' and pick_since is not null and deleted_at is null and held = 0`)],
  stopped: blockKinds('breaker', 'attempts'),
  blocked: blockKinds(...ASKED_OR_BUDGET),
  triage: [raw(`status = 'triage' and deleted_at is null`)],
  unlanded: [
    // The last condition finds a run whose branch has work that has not landed. The function `unlandedChanges` in core
    // has the same rule.
    raw(`status = 'done' and workspace_kind = 'worktree' and workspace_state in ('live', 'kept') and landed is null
      and deleted_at is null and exists (select 1 from run where run.board = task.board and run.task_id = task.id
        and run.changes is not null
        and (run.changes not like '%"files":0,%' or run.changes not like '%"commit":null%'))`),
  ],
}

/** A hidden card is shown again when it changes or when `hidden_until` has passed. */
const isShown = (now: number): Sql => sql`
  not exists (select 1 from inbox_mark m where m.kind = 'card' and m.name = task.id and m.version = task.updated_at
    and (m.hidden_until is null or m.hidden_until > ${now}))`

const isHidden = (now: number): Sql => sql`
  id in (select m.name from inbox_mark m where m.kind = 'card' and m.version = task.updated_at
    and (m.hidden_until is null or m.hidden_until > ${now}))`

const visible = ({ hidden, now }: Pick<InboxRange, 'hidden' | 'now'>): Sql =>
  hidden === true ? EMPTY : sql`and ${hidden === 'only' ? isHidden(now) : isShown(now)}`

const inRange = ({ now, after, only, hidden }: InboxRange): Sql => sql`
  ${after === null ? EMPTY : sql`and (rank, id) > (${after.rank}, ${after.id})`}
  ${only === null ? EMPTY : sql`and id = ${only}`} ${visible({ hidden, now })}`

export const inboxCards = (range: InboxRange, condition: Sql): Sql => sql`
  select ${LISTED_TASK.columns} from task where board = ${range.board} and ${condition} ${inRange(range)}
  order by rank, id limit ${range.most}`

/** Cards in review without a reviewer, on a board without a reviewer. */
export const reviewsWithoutReviewer = (range: InboxRange): Sql =>
  inboxCards(range, raw(`${IN_REVIEW} and breaker_open = 0`))

/** The maximum number of cards in review to search. Most of them wait for the board's reviewer, not for a person. */
const SEARCHED = 200

/** The cards in review on which the board's reviewer worked, so it may not review them. */
export const ownWorkInReview = (range: InboxRange, reviewer: string): Sql => sql`
  select ${LISTED_TASK.columns} from task where id in (
    select head.id from (
      select id, assignee, board, rank from task where board = ${range.board} and ${raw(`${IN_REVIEW} and breaker_open = 0`)}
        ${inRange(range)} order by rank, id limit ${SEARCHED}
    ) head
    where head.assignee = ${reviewer} or exists (
      select 1 from run where run.board = head.board and run.task_id = head.id and run.agent = ${reviewer}
        and run.phase = 'work' and run.kind = 'agent' and (run.outcome is null or run.outcome <> 'spawn_failed'))
    order by head.rank, head.id limit ${range.most}
  ) order by rank, id`

const READY = `status = 'ready' and held = 0 and commands_approved = 1 and due_at is null and deleted_at is null`
const REVIEWED = `status = 'review' and held = 0 and breaker_open = 0 and due_at is null and deleted_at is null
  and commands_approved = 1`

/**
 * The cards of a queue. Sorting by agent first lets PostgreSQL read an index instead of sorting the unassigned cards.
 */
export function laneCards(
  range: InboxRange,
  { agent, phase }: { agent: string | null; phase: 'work' | 'review' },
): Sql {
  const runner = raw(phase === 'review' ? 'reviewer' : 'assignee')
  const mine = agent === null ? sql`${runner} is null` : sql`${runner} = ${agent}`
  return sql`
    select ${LISTED_TASK.columns} from task
    where board = ${range.board} and ${raw(phase === 'review' ? REVIEWED : READY)} and ${mine} ${inRange(range)}
    order by ${runner}, rank, id limit ${range.most}`
}

/** The accounts that are paused until a person resumes them. */
export const pausedAccounts = (columns: Sql, { now, hidden }: Pick<InboxRange, 'now' | 'hidden'>): Sql => sql`
  select ${columns} from account where pause_cause is not null and paused_until is null ${
    hidden === true
      ? EMPTY
      : sql`and ${raw(hidden === 'only' ? 'exists' : 'not exists')} (
          select 1 from inbox_mark m where m.kind = 'account' and m.name = account.name
            and m.version = account.updated_at and (m.hidden_until is null or m.hidden_until > ${now}))`
  } order by name`

/** The marks that people set on some cards and accounts. A mark may be outdated. */
export const marksOf = (names: readonly string[]): Sql =>
  sql`select ${INBOX_MARK.columns} from inbox_mark where name in ${valueList(names)}`
