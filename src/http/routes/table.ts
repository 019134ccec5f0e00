/**
 * The routes of the API. Each route runs one operation. Path parameters are input fields; other fields come from the
 * query (GET, DELETE) or the JSON body. `?board=` chooses the board. Operations without a route are in unrouted.ts.
 */
import type { OPERATIONS } from '../../operations/index.ts'

export type OperationName = keyof typeof OPERATIONS
export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

export interface Route {
  readonly method: Method
  readonly path: string
  readonly operation: OperationName
  /** The name of the client's function, if several routes run the same operation. */
  readonly name?: string
  /** The summary of the route, if the summary of the operation does not describe it. */
  readonly summary?: string
  /** The status of a successful response. The default is 200. */
  readonly status?: 201
  /** Fields of the input that the route sets. A caller cannot change them. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Values for fields that a request does not contain, if the route and the operation have different defaults. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /**
   * Whether the table has a second route for several cards, `POST /api/tasks/<verb>`. Its body has a list of ids in
   * `tasks`, and the response has a result for each id.
   */
  readonly many?: true
  /** The fields that describe one card. A request for several cards may not have them. */
  readonly onlyForOne?: readonly string[]
  /** The query whose ETag the header If-Match contains. If the ETag has changed, the change is refused. */
  readonly ifMatch?: OperationName
  /**
   * For an output that depends only on the store and on one agent's file: returns the name of that agent, or null. The
   * server caches such answers until the store or the file changes.
   */
  readonly remember?: (output: { readonly assignee: string | null }) => string | null
  /** Whether the body of the request may contain the body of a card, which can be long. */
  readonly large?: true
  /**
   * For a list: the default and the maximum number of items on a page. The Link header of a page names the next page.
   */
  readonly page?: { readonly size: number; readonly most: number }
}

const LARGE = { large: true } as const
const MANY = { many: true } as const
const BOTH = { ...LARGE, ...MANY } as const
/** A hand-over describes the work of one card. */
const HAND_OVER = { onlyForOne: ['summary', 'metadata', 'artifacts', 'createdCards'] } as const
const CREATED = { status: 201 } as const

/** By default, a request does not follow the log. Otherwise the request would wait until the run ends. */
const FOLLOW = { defaults: { follow: false } } as const

const CARD = '/api/tasks/:task'
const BOARD = '/api/boards/:slug'

/** A route for a command on a card: `POST /api/tasks/:task/<verb>`. */
const onCard = (
  operation: OperationName,
  more: Pick<Route, 'many' | 'large' | 'status' | 'onlyForOne'> = {},
): Route => ({
  method: 'post',
  path: `${CARD}/${operation}`,
  operation,
  ...more,
})

const read = (
  path: string,
  operation: OperationName,
  more: Pick<Route, 'name' | 'summary' | 'fixed' | 'page' | 'defaults' | 'remember'> = {},
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
  read(CARD, 'show', { remember: ({ assignee }) => assignee }),
  change(['patch', CARD], 'update', { ...LARGE, ifMatch: 'show' }),
  change(['delete', CARD], 'delete'),
  onCard('answer'),
  onCard('approve', MANY),
  onCard('archive', MANY),
  onCard('assign', MANY),
  onCard('block', MANY),
  onCard('check'),
  onCard('claim'),
  change(['post', `${CARD}/comments`], 'comment', CREATED),
  change(['post', '/api/comments/:comment/card'], 'mention', CREATED),
  onCard('complete', { ...BOTH, ...HAND_OVER }),
  onCard('decompose', LARGE),
  onCard('delete', MANY),
  onCard('duplicate', CREATED),
  onCard('edit', BOTH),
  onCard('heartbeat'),
  onCard('hold', MANY),
  onCard('land'),
  onCard('pick'),
  onCard('promote', MANY),
  onCard('reassign', MANY),
  onCard('reclaim', MANY),
  onCard('release', MANY),
  onCard('reopen', MANY),
  onCard('reorder'),
  onCard('request-changes'),
  onCard('request-review', { ...MANY, ...HAND_OVER }),
  onCard('schedule', MANY),
  onCard('specify', LARGE),
  onCard('stop', MANY),
  onCard('unarchive', MANY),
  onCard('unblock', MANY),
  onCard('undelete', MANY),
  change(['put', `/api/tasks/:child/parents/:parent`], 'link'),
  change(['delete', `/api/tasks/:child/parents/:parent`], 'unlink'),
  read(`${CARD}/commands`, 'preview-commands'),
  change(['post', `${CARD}/commands/approve`], 'approve-commands'),
  read(`${CARD}/blackboard`, 'blackboard'),
  change(['put', `${CARD}/blackboard/:key`], 'write-blackboard', { fixed: { remove: false } }),
  change(['delete', `${CARD}/blackboard/:key`], 'write-blackboard', {
    name: 'removeFromBlackboard',
    summary: 'Remove an entry of the blackboard of a swarm.',
    fixed: { remove: true, value: null },
  }),
  read(`${CARD}/promotion`, 'preview-promote'),
  read(`${CARD}/attachments`, 'attachments'),
  change(['delete', `${CARD}/attachments/:file`], 'detach'),
  read(`${CARD}/diff`, 'diff', { defaults: { patch: false, limit: 1000 } }),
  read(`${CARD}/results`, 'locate-results'),
  read(`${CARD}/tournament`, 'tournament'),
  read(`${CARD}/snapshots`, 'snapshots'),
  read('/api/why/:task', 'why'),
  read('/api/context/:task', 'context'),
]

const RUNS: readonly Route[] = [
  read(`${CARD}/runs`, 'runs'),
  read(`${CARD}/log`, 'log'),
  read(`${CARD}/log/lines`, 'follow-log', FOLLOW),
  read(`${CARD}/transcript`, 'transcript', FOLLOW),
  read(`${CARD}/transcript/rows`, 'transcript-rows'),
  read(`${CARD}/transcript/text`, 'transcript-text'),
  read(`${CARD}/events`, 'tail', FOLLOW),
  read('/api/runs', 'ps'),
]

const BOARDS: readonly Route[] = [
  read('/api/board', 'board'),
  read('/api/board/columns/:status', 'column'),
  read('/api/board/groups', 'groups'),
  read('/api/board/graph', 'graph'),
  read('/api/summary', 'summary'),
  read('/api/activity', 'activity'),
  read('/api/stats', 'stats'),
  read('/api/totals', 'totals'),
  read('/api/boards', 'boards list'),
  change(['post', '/api/boards'], 'boards create', CREATED),
  read(BOARD, 'boards show'),
  change(['patch', BOARD], 'boards set'),
  change(['delete', BOARD], 'boards delete'),
  change(['post', `${BOARD}/rename`], 'boards rename'),
  change(['post', `${BOARD}/archive`], 'boards archive'),
  change(['post', `${BOARD}/unarchive`], 'boards unarchive'),
  read('/api/views', 'views list'),
  change(['put', '/api/views/:name'], 'views save'),
  change(['post', '/api/views/:name/rename'], 'views rename'),
  change(['delete', '/api/views/:name'], 'views delete'),
  read('/api/templates', 'templates list', { fixed: { folder: null } }),
  read('/api/templates/:template', 'templates show', { fixed: { folder: null } }),
  change(['post', '/api/templates/:template/preview'], 'preview-apply', { ...LARGE, fixed: { folder: null } }),
  change(['post', '/api/templates/:template/apply'], 'apply', { ...CREATED, ...LARGE, fixed: { folder: null } }),
  change(['post', '/api/swarms'], 'swarm', { ...CREATED, ...LARGE }),
  read('/api/series', 'recur list'),
  change(['post', '/api/series'], 'recur add', { ...CREATED, ...LARGE }),
  read('/api/series/:series', 'recur show'),
  change(['patch', '/api/series/:series'], 'recur edit', LARGE),
  change(['delete', '/api/series/:series'], 'recur remove'),
  change(['post', '/api/series/:series/pause'], 'recur pause'),
  change(['post', '/api/series/:series/resume'], 'recur resume'),
  change(['post', '/api/series/:series/run'], 'recur run-now', CREATED),
  read('/api/inbox', 'inbox'),
  change(['post', '/api/inbox/:item/done'], 'inbox done'),
  change(['post', '/api/inbox/:item/restore'], 'inbox restore'),
  change(['post', '/api/inbox/:item/snooze'], 'inbox snooze'),
]

const MACHINE: readonly Route[] = [
  read('/api/agents', 'agents list'),
  read('/api/agents/:name', 'agents show'),
  read('/api/roster', 'roster'),
  change(['post', '/api/agents'], 'agents add', CREATED),
  change(['delete', '/api/agents/:name'], 'agents remove'),
  change(['post', '/api/agents/check'], 'agents check'),
  change(['post', '/api/agents/:name/describe'], 'agents describe'),
  read('/api/accounts', 'accounts list'),
  read('/api/pauses', 'list-pauses'),
  change(['post', '/api/pauses'], 'pause', CREATED),
  change(['delete', '/api/pauses/:kind/:name'], 'resume'),
  // Without a name in the path, resumes the current board or the machine of the server.
  change(['delete', '/api/pauses'], 'resume', { name: 'resumeOwn' }),
  read('/api/skills', 'skills list'),
  read('/api/skills/:name', 'skills show'),
  read('/api/backups', 'backup list'),
  change(['post', '/api/backups'], 'backup create', { ...CREATED, fixed: { to: null } }),
  read('/api/health', 'health'),
  read('/api/doctor', 'doctor', { fixed: { fix: false } }),
  read('/api/service', 'service status'),
  // The server never makes a pass itself. It wakes the active dispatcher, which applies the limits of the machine.
  change(['post', '/api/dispatch'], 'dispatch', {
    summary: 'Ask the active dispatcher to start ready cards now.',
    fixed: { nudge: true, dryRun: false, wait: false },
  }),
  read('/api/dispatch', 'dispatch', {
    name: 'previewDispatch',
    summary: 'Show what a pass of the dispatcher would do, without doing it.',
    fixed: { dryRun: true, nudge: false, wait: false },
  }),
  read('/api/tokens', 'tokens list'),
  change(['post', '/api/tokens'], 'tokens create', CREATED),
  change(['delete', '/api/tokens/:token'], 'tokens revoke'),
]

export const ROUTES: readonly Route[] = [...CARDS, ...RUNS, ...BOARDS, ...MACHINE]
