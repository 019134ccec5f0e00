/**
 * Converts between rows (snake_case) and domain values (camelCase). This code does not use the schema library, because
 * reads must be fast.
 */
import type { Account } from '../core/account.ts'
import type { Attachment } from '../core/attachment.ts'
import type { Board } from '../core/board.ts'
import { CARD_COLUMNS, DETAIL_FIELDS } from '../core/card-fields.ts'
import type { Comment } from '../core/comment.ts'
import type { Dispatcher } from '../core/limits/lease.ts'
import type { BoardEvent } from '../core/event.ts'
import type { InboxMark } from '../core/inbox.ts'
import type { Link } from '../core/link.ts'
import type { Run } from '../core/run.ts'
import type { SavedView } from '../core/saved-view.ts'
import type { Series } from '../core/series.ts'
import type { Slot } from '../core/slot.ts'
import type { BlackboardEntry } from '../core/swarm.ts'
import type { Task } from '../core/task.ts'
import type { Token } from '../core/token.ts'
import { compileLiteral } from './literal.ts'
import { raw } from './sql.ts'
import type { Sql, SqlValue } from './sql.ts'
import type { Row } from './tx.ts'

/**
 * The codec `shared` is for JSON that is read often and has few different texts. Each different text is parsed once.
 */
type Codec = 'plain' | 'boolean' | 'json' | 'shared'

export interface Table<T> {
  readonly name: string
  /** The names of all columns, for `select`. */
  readonly columns: Sql
  readonly columnNames: readonly string[]
  decode(row: Row): T
  /** The stored values of a whole row, in the order of `columnNames`. */
  encodeRow(row: T): SqlValue[]
  /** The columns and stored values of some fields of a row. The caller may pass the fields in several objects. */
  encode(...pieces: readonly Partial<T>[]): Encoded[]
}

export interface Encoded {
  readonly column: string
  /** The SQL text `column = ?`. */
  readonly assignment: Sql
}

/** The column of a field. */
export const columnName = (key: string): string =>
  key.replace('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function store(value: unknown, codec: Codec): SqlValue {
  if (value === null || value === undefined) return null
  if (codec === 'json' || codec === 'shared') return JSON.stringify(value)
  if (codec === 'boolean') return value === true ? 1 : 0
  return value as SqlValue
}

const LOADERS: Readonly<Record<Exclude<Codec, 'plain'>, (value: SqlValue) => unknown>> = {
  boolean: (value) => value === 1,
  json: (value): unknown => JSON.parse(String(value)),
  shared: (value) => parseShared(String(value)),
}

const parsed = new Map<string, unknown>()

function parseShared(text: string): unknown {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const value: unknown = Object.freeze(JSON.parse(text))
  if (parsed.size >= 100) parsed.clear()
  parsed.set(text, value)
  return value
}

/** The column of a field, or of a part of a field (`workspace.kind`). */
interface TableColumn {
  readonly key: string
  readonly part: string | null
  readonly name: string
  readonly codec: Codec
  /** The SQL text before and after the value in `name = ?`. */
  readonly assigns: readonly string[]
}

type Fields = Record<string, unknown>

const pick = (row: Fields, { key, part }: TableColumn): unknown =>
  part === null ? row[key] : (row[key] as Fields | undefined)?.[part]

const loading = ({ name, codec }: TableColumn): string =>
  codec === 'plain' ? `from.${name} ?? null` : `from.${name} == null ? null : ${codec}(from.${name})`

const decoder = <T>(byKey: ReadonlyMap<string, readonly TableColumn[]>): Table<T>['decode'] =>
  compileLiteral<Row, T>(
    [...byKey].map(([key, parts]) => [
      key,
      parts.length === 1 && parts[0]?.part === null
        ? loading(parts[0])
        : `{ ${parts.map((column) => `${column.part}: ${loading(column)}`).join(', ')} }`,
    ]),
    LOADERS,
  )

/** A table with one column for each field. Parts that few commands use are built on first use. */
function table<T>(name: string, fields: Readonly<Record<string, Codec>>): Table<T> {
  const columns = Object.entries(fields).map(([path, codec]): TableColumn => {
    const [key = path, part = null] = path.split('.')
    const column = columnName(path)
    return { key, part, name: column, codec, assigns: [`${column} = `, ''] }
  })
  const columnNames = columns.map((column) => column.name)
  let grouped: ReadonlyMap<string, readonly TableColumn[]> | null = null
  let compiled: Table<T>['decode'] | null = null
  const byKey = (): ReadonlyMap<string, readonly TableColumn[]> => (grouped ??= groupByKey(columns))
  return {
    name,
    columnNames,
    columns: raw(columnNames.join(', ')),
    decode: (row) => (compiled ??= decoder<T>(byKey()))(row),
    encodeRow: (row) => columns.map((column) => store(pick(row as Fields, column), column.codec)),
    encode(...pieces) {
      const encoded: Encoded[] = []
      for (const piece of pieces) for (const key in piece) encodeField(piece, key, encoded)
      return encoded
    },
  }

  function encodeField(piece: Partial<T>, key: keyof T & string, encoded: Encoded[]): void {
    const known = byKey().get(key)
    if (known === undefined) throw new TypeError(`${name} has no column for ${key}`)
    if (piece[key] === undefined) return
    for (const column of known) {
      const values = [store(pick(piece, column), column.codec)]
      encoded.push({ column: column.name, assignment: { strings: column.assigns, values } })
    }
  }
}

function groupByKey(columns: readonly TableColumn[]): ReadonlyMap<string, readonly TableColumn[]> {
  const groups = new Map<string, TableColumn[]>()
  for (const column of columns) groups.set(column.key, [...(groups.get(column.key) ?? []), column])
  return groups
}

/** A table whose type requires a codec for every field. */
const tableOf = <T>(name: string, fields: Readonly<Record<keyof T & string, Codec>>): Table<T> => table<T>(name, fields)

export const BOARD = tableOf<Board>('board', {
  slug: 'plain',
  name: 'plain',
  description: 'plain',
  settings: 'shared',
  createdAt: 'plain',
  updatedAt: 'plain',
  archivedAt: 'plain',
})

/** A workspace has a column for each of its parts, so that SQL can query its path and state. */
export const TASK = table<Task>('task', CARD_COLUMNS)

export type ListedRow = Omit<Task, (typeof DETAIL_FIELDS)[number]>

/** A card in a list, without the long fields, because a page must not read a megabyte for each card. */
export const LISTED_TASK = table<ListedRow>(
  'task',
  Object.fromEntries(Object.entries(CARD_COLUMNS).filter(([name]) => !DETAIL_FIELDS.some((field) => field === name))),
)

export const RUN = tableOf<Run>('run', {
  board: 'plain',
  id: 'plain',
  taskId: 'plain',
  attempt: 'plain',
  phase: 'plain',
  kind: 'plain',
  agent: 'plain',
  account: 'plain',
  machine: 'plain',
  fromStatus: 'plain',
  tokenHash: 'plain',
  claimedBy: 'plain',
  dispatcher: 'json',
  identity: 'json',
  startedAt: 'plain',
  startDeadlineAt: 'plain',
  registeredAt: 'plain',
  leaseUntil: 'plain',
  lastActivityAt: 'plain',
  note: 'plain',
  maxRuntimeMs: 'plain',
  terminatingAt: 'plain',
  terminatingReason: 'plain',
  parentReopenedAt: 'plain',
  probe: 'boolean',
  verdict: 'json',
  verdictAt: 'plain',
  checks: 'json',
  goal: 'json',
  intent: 'json',
  endedAt: 'plain',
  outcome: 'plain',
  summary: 'plain',
  metadata: 'json',
  error: 'plain',
  exitCode: 'plain',
  signal: 'plain',
  usage: 'json',
  changes: 'json',
  logPath: 'plain',
  socketPath: 'plain',
  libVersion: 'plain',
})

export const LINK = tableOf<Link>('link', {
  board: 'plain',
  parentId: 'plain',
  childId: 'plain',
  createdAt: 'plain',
  waivedBy: 'plain',
  waivedAt: 'plain',
})

export const COMMENT = tableOf<Comment>('comment', {
  board: 'plain',
  id: 'plain',
  taskId: 'plain',
  author: 'plain',
  runId: 'plain',
  body: 'plain',
  createdAt: 'plain',
  answerTo: 'json',
})

export const ATTACHMENT = tableOf<Attachment>('attachment', {
  board: 'plain',
  id: 'plain',
  taskId: 'plain',
  filename: 'plain',
  storedPath: 'plain',
  contentType: 'plain',
  size: 'plain',
  sha256: 'plain',
  uploadedBy: 'plain',
  runId: 'plain',
  createdAt: 'plain',
})

export const EVENT = tableOf<BoardEvent>('event', {
  id: 'plain',
  board: 'plain',
  kind: 'plain',
  taskId: 'plain',
  runId: 'plain',
  actor: 'plain',
  createdAt: 'plain',
  data: 'json',
})

export const SLOT = tableOf<Slot>('slot', {
  kind: 'plain',
  name: 'plain',
  pausedAt: 'plain',
  pausedBy: 'plain',
  pauseReason: 'plain',
  pausedUntil: 'plain',
  resumedAt: 'plain',
})

export const ACCOUNT = tableOf<Account>('account', {
  name: 'plain',
  pauseCause: 'plain',
  pausedUntil: 'plain',
  pausedBy: 'plain',
  pauseReason: 'plain',
  strikes: 'plain',
  reopenedAt: 'plain',
  probeRunId: 'plain',
  updatedAt: 'plain',
})

export const INBOX_MARK = tableOf<InboxMark>('inbox_mark', {
  kind: 'plain',
  name: 'plain',
  board: 'plain',
  version: 'plain',
  hiddenUntil: 'plain',
  markedBy: 'plain',
  markedAt: 'plain',
})

export const DISPATCHER = tableOf<Dispatcher>('dispatcher', {
  machine: 'plain',
  tokenHash: 'plain',
  identity: 'json',
  since: 'plain',
  leaseUntil: 'plain',
  lastPass: 'json',
})

export const TOKEN = tableOf<Token>('token', {
  id: 'plain',
  kind: 'plain',
  name: 'plain',
  scope: 'plain',
  hash: 'plain',
  secretHash: 'plain',
  createdBy: 'plain',
  createdAt: 'plain',
  expiresAt: 'plain',
  lastUsedAt: 'plain',
})

export const SAVED_VIEW = tableOf<SavedView>('saved_view', {
  name: 'plain',
  board: 'plain',
  query: 'plain',
  createdBy: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
})

export const BLACKBOARD = tableOf<BlackboardEntry>('blackboard', {
  board: 'plain',
  root: 'plain',
  key: 'plain',
  value: 'plain',
  author: 'plain',
  runId: 'plain',
  writtenAt: 'plain',
})

export const SERIES = tableOf<Series>('series', {
  board: 'plain',
  id: 'plain',
  schedule: 'plain',
  timeZone: 'plain',
  card: 'json',
  skipIfRunning: 'boolean',
  anchorAt: 'plain',
  nextAt: 'plain',
  dueAt: 'plain',
  computedAt: 'plain',
  pausedAt: 'plain',
  pausedBy: 'plain',
  created: 'plain',
  lastTask: 'plain',
  lastSlot: 'plain',
  note: 'json',
  commandsApproved: 'boolean',
  createdBy: 'plain',
  createdByRun: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
})
