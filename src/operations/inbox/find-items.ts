/** Finds the items of the inbox, each with its reason and the commands that clear it. */
import type { Board } from '../../core/board.ts'
import { INBOX_KINDS, waitsSince } from '../../core/inbox.ts'
import type { CardInboxKind, InboxRemedy } from '../../core/inbox.ts'
import type { Account } from '../../core/account.ts'
import { BoardError } from '../../core/errors.ts'
import { isTaskId } from '../../core/ids.ts'
import type { TaskId } from '../../core/ids.ts'
import { accountReason } from '../../core/reasons/account-reason.ts'
import { gateOf } from '../../core/reasons/reason.ts'
import type { Gate, Reason } from '../../core/reasons/reason.ts'
import { withRemedies } from '../../core/reasons/remedies.ts'
import type { Task } from '../../core/task.ts'
import type { AgentFault } from '../../agents/runner.ts'
import type { InboxCard, InboxQuery, Lane } from '../../storage/store.ts'
import { ReasonFacts } from '../cards/reasons-of-cards.ts'
import type { BoardContext } from '../shared/operation.ts'
import type { InboxItem } from './views.ts'

export interface ItemsAsked {
  /** The board to read, or null for all boards. */
  readonly board: string | null
  readonly limit: number
  readonly after?: string | null
  readonly only?: TaskId
  readonly hidden?: boolean
}

interface Items {
  readonly items: readonly InboxItem[]
  /** The value of `after` for the next page; null if there are no more items. */
  readonly next: string | null
}

type Context = Pick<BoardContext, 'store' | 'options'>

export async function findItems(context: Context, asked: ItemsAsked): Promise<Items> {
  const { store } = context
  const facts = await ReasonFacts.read(context)
  const boards = [...facts.boards.values()].filter(
    ({ slug, archivedAt }) => archivedAt === null && (asked.board ?? slug) === slug,
  )
  const { accounts, cards } = await store.inbox({
    boards: boards.map(({ slug, settings }) => ({ slug, reviewer: settings.reviewer })),
    lanes: (await store.lanes()).filter((lane) => cannotRun(lane, facts)),
    // Reads one more item, to see whether there is a next page.
    most: asked.limit + 1,
    after: placeOf(asked.after ?? null),
    only: asked.only ?? null,
    hidden: asked.hidden ?? false,
  })
  const shown = cards.slice(0, asked.limit)
  const last = shown.at(-1)
  return {
    items: [...accounts.map(accountItem), ...(await cardItems(context, facts, shown))],
    next: cards.length > shown.length && last !== undefined ? `${last.kind}:${last.task.rank}:${last.task.id}` : null,
  }
}

/** Whether the agent of a lane does not exist or cannot run here. Unassigned cards belong to the board's default agent. */
function cannotRun({ board: slug, agent, phase }: Lane, facts: ReasonFacts): boolean {
  const settings = facts.boards.get(slug)?.settings
  const name = agent ?? (phase === 'review' ? settings?.reviewer : settings?.defaultAssignee) ?? null
  return name !== null && facts.faultOf(name, phase === 'review' ? 'reviewer' : 'assignee') !== null
}

function placeOf(cursor: string | null): NonNullable<InboxQuery['after']> | null {
  if (cursor === null) return null
  const [kind, rank, id = ''] = cursor.split(':')
  const known = INBOX_KINDS.find((one) => one === kind)
  if (known === undefined || known === 'account' || !isTaskId(id) || !Number.isSafeInteger(Number(rank)))
    throw new BoardError(
      'invalid_input',
      `${cursor} is not a position in the inbox. Use the position that the previous page returned.`,
    )
  return { kind: known, rank: Number(rank), id }
}

function accountItem(account: Account): InboxItem {
  const reason = accountReason(account)
  return {
    id: account.name,
    kind: 'account',
    board: null,
    task: null,
    account: account.name,
    since: account.updatedAt,
    reason,
    question: account.pauseReason,
    remedies: reason.remedies,
  }
}

async function cardItems(context: Context, facts: ReasonFacts, found: readonly InboxCard[]): Promise<InboxItem[]> {
  // Reads whole cards, because the legal commands depend on their checks.
  const tasks = await context.store.tasksById(found.map(({ task }) => task.id))
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const reasons = await facts.reasonsOf(context.store, tasks)
  const items = found.map(async ({ kind, task: { id } }) => {
    const task = byId.get(id)
    const board = task === undefined ? undefined : facts.boards.get(task.board)
    if (task === undefined || board === undefined) return []
    const reason = await reasonFor(context, { kind, task, board }, reasons.get(id) ?? [])
    return [cardItem(kind, task, reason)]
  })
  return (await Promise.all(items)).flat()
}

const GATES_OF: Readonly<Record<CardInboxKind, readonly Gate[]>> = {
  question: ['blocked'],
  approval: ['command_approval'],
  review: ['reviewer'],
  stopped: ['blocked'],
  blocked: ['blocked'],
  agent: ['assignee', 'reviewer', 'harness'],
  triage: ['triage'],
  unlanded: [],
}

/** The reason that belongs to the kind of the item. */
async function reasonFor(
  { options }: Context,
  { kind, task }: { kind: CardInboxKind; task: Task; board: Board },
  reasons: readonly Reason[],
): Promise<Reason | null> {
  const reason = reasons.find((one) => GATES_OF[kind].includes(one.gate)) ?? null
  if (reason?.code !== 'agent_unknown') return reason
  // The repository of the card may define the agent. `Preflight` is loaded only here, because few agents are unknown.
  const { Preflight } = await import('../../agents/preflight.ts')
  const { gate: _gate, remedies: _remedies, ...fault } = reason
  const explained = await new Preflight(options.home).explainUnknown(task, fault satisfies AgentFault)
  if (explained.code === fault.code) return reason
  return { ...withRemedies(explained, { task, openParents: [] }), gate: gateOf(explained) }
}

function cardItem(kind: CardInboxKind, task: Task, reason: Reason | null): InboxItem {
  const { id, title, status, assignee, priority, tenant, board, blockReason } = task
  return {
    id,
    kind,
    board,
    task: { id, title, status, assignee, priority, tenant },
    account: null,
    since: waitsSince(kind, task),
    reason,
    question: blockReason,
    remedies: remediesFor(kind, id, reason),
  }
}

function remediesFor(kind: CardInboxKind, id: TaskId, reason: Reason | null): readonly InboxRemedy[] {
  if (kind === 'unlanded')
    return (['diff', 'land'] as const).map((operation) => ({ operation, input: { task: id }, asks: [] }))
  return reason?.remedies ?? []
}
