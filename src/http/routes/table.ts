/**
 * The routes of the API. Each runs one operation: path parameters are fields of its input, and the other fields come from
 * the query (GET, DELETE) or from the JSON body. `?board=` chooses the board. unrouted.ts lists the other operations.
 */
import type { OPERATIONS } from '../../operations/index.ts'

export type OperationName = keyof typeof OPERATIONS
export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

export interface Route {
  readonly method: Method
  readonly path: string
  readonly operation: OperationName
  /** The status of a success. Default: 200. */
  readonly status?: 201
  /** Fields of the input that the route itself sets; a caller cannot. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Values of fields that a request leaves out, if they differ from those of the operation. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Also serves `POST /api/tasks/<verb>` with `tasks`, a list of ids. It answers a result for each id. */
  readonly many?: true
  /** Whether the body may be as long as the longest card. */
  readonly large?: true
  /** A list: how many items a page has by default, and at most. The Link header names the next page. */
  readonly page?: { readonly size: number; readonly most: number }
}

const LARGE = { large: true } as const
const MANY = { many: true } as const
const BOTH = { ...LARGE, ...MANY } as const
const CREATED = { status: 201 } as const

/** A request follows only if it asks to, because it would otherwise wait for the end of the run. */
const FOLLOW = { defaults: { follow: false } } as const

const CARD = '/api/tasks/:task'
const BOARD = '/api/boards/:slug'

/** A command on a card: `POST /api/tasks/:task/<verb>`. */
const onCard = (operation: OperationName, more: Pick<Route, 'many' | 'large' | 'status'> = {}): Route => ({
  method: 'post',
  path: `${CARD}/${operation}`,
  operation,
  ...more,
})

const read = (
  path: string,
  operation: OperationName,
  more: Pick<Route, 'fixed' | 'page' | 'defaults'> = {},
): Route => ({
  method: 'get',
  path,
  operation,
  ...more,
})

const change = (
  [method, path]: readonly [Exclude<Method, 'get'>, string],
  operation: OperationName,
  more: Omit<Route, 'method' | 'path' | 'operation'> = {},
): Route => ({ method, path, operation, ...more })

const CARDS: readonly Route[] = [
  read('/api/tasks', 'list', { page: { size: 50, most: 500 } }),
  change(['post', '/api/tasks'], 'create', { ...CREATED, ...LARGE }),
  change(['post', '/api/tasks/batch'], 'create-each', { ...CREATED, ...LARGE }),
  read(CARD, 'show'),
  change(['patch', CARD], 'edit', LARGE),
  change(['delete', CARD], 'delete'),
  onCard('answer'),
  onCard('approve', MANY),
  onCard('archive', MANY),
  onCard('assign', MANY),
  onCard('block', MANY),
  onCard('check'),
  onCard('claim'),
  change(['post', `${CARD}/comments`], 'comment', CREATED),
  onCard('complete', BOTH),
  onCard('delete', MANY),
  onCard('duplicate', CREATED),
  onCard('edit', BOTH),
  onCard('heartbeat'),
  onCard('hold', MANY),
  onCard('land'),
  onCard('promote', MANY),
  onCard('reassign', MANY),
  onCard('reclaim', MANY),
  onCard('release', MANY),
  onCard('reopen', MANY),
  onCard('request-changes'),
  onCard('request-review', MANY),
  onCard('schedule', MANY),
  onCard('stop', MANY),
  onCard('unarchive', MANY),
  onCard('unblock', MANY),
  onCard('undelete', MANY),
  change(['put', `/api/tasks/:child/parents/:parent`], 'link'),
  change(['delete', `/api/tasks/:child/parents/:parent`], 'unlink'),
  read(`${CARD}/commands`, 'preview-commands'),
  change(['post', `${CARD}/commands/approve`], 'approve-commands'),
  read(`${CARD}/promotion`, 'preview-promote'),
  read(`${CARD}/attachments`, 'attachments'),
  change(['delete', `${CARD}/attachments/:file`], 'detach'),
  read(`${CARD}/diff`, 'diff'),
  read(`${CARD}/results`, 'locate-results'),
  read(`${CARD}/snapshots`, 'snapshots'),
  read('/api/why/:task', 'why'),
  read('/api/context/:task', 'context'),
]

const RUNS: readonly Route[] = [
  read(`${CARD}/runs`, 'runs'),
  read(`${CARD}/log`, 'log'),
  read(`${CARD}/log/lines`, 'follow-log', FOLLOW),
  read(`${CARD}/transcript`, 'transcript', FOLLOW),
  read(`${CARD}/events`, 'tail', FOLLOW),
  read('/api/runs', 'ps'),
]

const BOARDS: readonly Route[] = [
  read('/api/board', 'board'),
  read('/api/stats', 'stats'),
  read('/api/boards', 'boards list'),
  change(['post', '/api/boards'], 'boards create', CREATED),
  read(BOARD, 'boards show'),
  change(['patch', BOARD], 'boards set'),
  change(['delete', BOARD], 'boards delete'),
  change(['post', `${BOARD}/rename`], 'boards rename'),
  change(['post', `${BOARD}/archive`], 'boards archive'),
  change(['post', `${BOARD}/unarchive`], 'boards unarchive'),
  read('/api/inbox', 'inbox'),
  change(['post', '/api/inbox/:item/done'], 'inbox done'),
  change(['post', '/api/inbox/:item/snooze'], 'inbox snooze'),
]

const MACHINE: readonly Route[] = [
  read('/api/agents', 'agents list'),
  read('/api/agents/:name', 'agents show'),
  change(['post', '/api/agents'], 'agents add', CREATED),
  change(['delete', '/api/agents/:name'], 'agents remove'),
  change(['post', '/api/agents/check'], 'agents check'),
  read('/api/accounts', 'accounts list'),
  read('/api/pauses', 'list-pauses'),
  change(['post', '/api/pauses'], 'pause', CREATED),
  change(['delete', '/api/pauses/:kind/:name'], 'resume'),
  read('/api/skills', 'skills list'),
  read('/api/skills/:name', 'skills show'),
  read('/api/backups', 'backup list'),
  change(['post', '/api/backups'], 'backup create', { ...CREATED, fixed: { to: null } }),
  read('/api/doctor', 'doctor', { fixed: { fix: false } }),
  read('/api/service', 'service status'),
  // The server never runs a second dispatcher. It wakes the active one, which respects the limits of the machine.
  change(['post', '/api/dispatch'], 'dispatch', { fixed: { nudge: true, dryRun: false, wait: false } }),
  read('/api/dispatch', 'dispatch', { fixed: { dryRun: true, nudge: false, wait: false } }),
  read('/api/tokens', 'tokens list'),
  change(['post', '/api/tokens'], 'tokens create', CREATED),
  change(['delete', '/api/tokens/:token'], 'tokens revoke'),
]

export const ROUTES: readonly Route[] = [...CARDS, ...RUNS, ...BOARDS, ...MACHINE]
