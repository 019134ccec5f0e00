/** Finds the items of the inbox, each with its reason and the commands that clear it. */
import type { Board } from '../../core/board.ts'
import { INBOX_KINDS, waitsSince } from '../../core/inbox.ts'
import type { CardInboxKind, InboxKind, InboxMark, InboxRemedy } from '../../core/inbox.ts'
import type { Account } from '../../core/account.ts'
import { BoardError } from '../../core/errors.ts'
import { isTaskId } from '../../core/ids.ts'
import type { TaskId } from '../../core/ids.ts'
import { accountReason } from '../../core/reasons/account-reason.ts'
import { gateOf } from '../../core/reasons/reason.ts'
import type { Gate, Reason } from '../../core/reasons/reason.ts'
import { withRemedies } from '../../core/reasons/remedies.ts'
import type { Task } from '../../core/task.ts'
import { cliNamed } from '../../harnesses/detect/clis.ts'
import type { AgentFault } from '../../agents/runner.ts'
import type { InboxCard, InboxQuery, Lane } from '../../storage/store.ts'
import type { Roster } from '../../agents/roster.ts'
import { countByAgent } from '../agents/agent-view.ts'
import { ReasonFacts } from '../cards/reasons-of-cards.ts'
import type { BoardContext } from '../shared/operation.ts'
import { NO_DETAILS, detailsOf } from './item-details.ts'
import type { ItemDetails } from './item-details.ts'
import type { InboxItem } from './views.ts'

export interface ItemsAsked {
  /** The board to read. Null means all boards. */
  readonly board: string | null
  readonly limit: number
  readonly after?: string | null
  readonly only?: TaskId
  readonly hidden?: boolean | 'only'
  readonly kinds?: readonly InboxKind[]
  /** Whether to read the last actions of each agent from its log. */
  readonly steps?: boolean
}

interface Items {
  readonly items: readonly InboxItem[]
  /** The value of `after` for the next page. Null means that the inbox has no more items. */
  readonly next: string | null
}

type Context = Pick<BoardContext, 'store' | 'options'>

export async function findItems(context: Context, asked: ItemsAsked): Promise<Items> {
  const { store } = context
  const facts = await ReasonFacts.read(context)
  const boards = [...facts.boards.values()].filter(
    ({ slug, archivedAt }) => archivedAt === null && (asked.board ?? slug) === slug,
  )
  const { accounts, cards, marks } = await store.inbox({
    boards: boards.map(({ slug, settings }) => ({ slug, reviewer: settings.reviewer })),
    lanes: (await store.lanes()).filter((lane) => cannotRun(lane, facts)),
    // Reads one item more than a page holds. If the extra item exists, another page follows.
    most: asked.limit + 1,
    after: placeOf(asked.after ?? null),
    only: asked.only ?? null,
    hidden: asked.hidden ?? false,
    kinds: asked.kinds ?? null,
  })
  const waiting = accounts.length === 0 ? new Map<string, number>() : await countByAgent(store)
  const shown = cards.slice(0, asked.limit)
  const last = shown.at(-1)
  return {
    items: [
      ...accounts.map((account) => accountItem(account, { roster: facts.roster, waiting })),
      ...(await cardItems(context, facts, { found: shown, steps: asked.steps ?? false })),
    ].map((item) => ({ ...item, hidden: hiddenBy(marks, item) })),
    next: cards.length > shown.length && last !== undefined ? `${last.kind}:${last.task.rank}:${last.task.id}` : null,
  }
}

/**
 * Whether the agent of this queue does not exist or cannot run on this machine. Unassigned cards use the default agent
 * of the board.
 */
export function cannotRun({ board: slug, agent, phase }: Lane, facts: ReasonFacts): boolean {
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

/** An inbox item before Muster has read whether a person hid it. */
type FoundItem = Omit<InboxItem, 'hidden'>

function hiddenBy(marks: readonly InboxMark[], { id, kind }: FoundItem): InboxItem['hidden'] {
  const mark = marks.find((one) => one.name === id && (one.kind === 'account') === (kind === 'account'))
  return mark === undefined ? null : { until: mark.hiddenUntil, by: mark.markedBy, at: mark.markedAt }
}

interface AccountFacts {
  readonly roster: Roster
  /** The number of cards that wait for each agent. */
  readonly waiting: ReadonlyMap<string, number>
}

function accountItem(account: Account, { roster, waiting }: AccountFacts): FoundItem {
  const reason = accountReason(account)
  const agents = [...roster.agents.values()].filter((agent) => agent.account === account.name).map(({ name }) => name)
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
    ...NO_DETAILS,
    waitedFor: agents.reduce((sum, agent) => sum + (waiting.get(agent) ?? 0), 0),
    otherReasons: [],
    logIn: account.pauseCause === 'auth' ? (cliNamed(account.name)?.logIn ?? null) : null,
    agents,
  }
}

async function cardItems(
  context: Context,
  facts: ReasonFacts,
  { found, steps }: { readonly found: readonly InboxCard[]; readonly steps: boolean },
): Promise<FoundItem[]> {
  // Reads complete cards, because their checks decide which commands are legal.
  const tasks = new Map(
    (await context.store.tasksById(found.map(({ task }) => task.id))).map((task) => [task.id, task]),
  )
  const whole = found.flatMap(({ kind, task: { id } }) => {
    const task = tasks.get(id)
    const board = task === undefined ? undefined : facts.boards.get(task.board)
    return task === undefined || board === undefined ? [] : [{ kind, task, board }]
  })
  const [reasons, details] = await Promise.all([
    facts.reasonsOf(context.store, [...tasks.values()]),
    detailsOf(context, whole, { steps }),
  ])
  return Promise.all(
    whole.map(async ({ kind, task, board }) => {
      const all = reasons.get(task.id) ?? []
      const reason = await reasonFor(context, { kind, task, board }, all)
      return {
        ...cardItem(kind, task, reason),
        ...(details.get(task.id) ?? NO_DETAILS),
        otherReasons: all.filter(({ gate, code }) => !GATES_OF[kind].includes(gate) && code !== 'next_pass'),
      }
    }),
  )
}

const GATES_OF: Readonly<Record<CardInboxKind, readonly Gate[]>> = {
  question: ['blocked'],
  approval: ['command_approval'],
  review: ['reviewer'],
  pick: ['pick'],
  stopped: ['blocked'],
  blocked: ['blocked'],
  agent: ['assignee', 'reviewer', 'harness'],
  triage: ['triage'],
  unlanded: [],
}

/** Finds the reason that matches the kind of the item. */
async function reasonFor(
  { options }: Context,
  { kind, task }: { kind: CardInboxKind; task: Task; board: Board },
  reasons: readonly Reason[],
): Promise<Reason | null> {
  const reason = reasons.find((one) => GATES_OF[kind].includes(one.gate)) ?? null
  if (reason?.code !== 'agent_unknown') return reason
  // The repository of the card may define an unknown agent. `Preflight` is loaded here, because unknown agents are
  // rare.
  const { Preflight } = await import('../../agents/preflight.ts')
  const { gate: _gate, remedies: _remedies, ...fault } = reason
  const explained = await new Preflight(options.home).explainUnknown(task, fault satisfies AgentFault)
  if (explained.code === fault.code) return reason
  return { ...withRemedies(explained, { task, openParents: [] }), gate: gateOf(explained) }
}

function cardItem(
  kind: CardInboxKind,
  task: Task,
  reason: Reason | null,
): Omit<FoundItem, keyof ItemDetails | 'otherReasons'> {
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
