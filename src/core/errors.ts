/**
 * All errors that callers see. Exit code, HTTP status and MCP error follow from `code`; the message names the thing and the
 * remedy. Both engines raise the same codes with the same messages.
 */
interface CodeFacts {
  /** Exit code of the CLI: 1 refused, 2 usage, 3 not found, 4 held or changed by another caller, 75 try later. */
  readonly exit: 1 | 2 | 3 | 4 | 75
  readonly http: number
  /** Whether the same call may succeed later without a change. */
  readonly retry: boolean
}

const refused = { exit: 1, http: 409, retry: false } as const
const usage = { exit: 2, http: 400, retry: false } as const
const missing = { exit: 3, http: 404, retry: false } as const
const taken = { exit: 4, http: 409, retry: false } as const
const later = { exit: 75, http: 503, retry: true } as const
const broken = { exit: 1, http: 500, retry: false } as const

export const ERROR_CODES = {
  // input
  invalid_input: usage,
  bad_text: usage,
  ambiguous_id: usage,
  // not found
  task_not_found: missing,
  board_not_found: missing,
  run_not_found: missing,
  snapshot_not_found: missing,
  account_not_found: missing,
  agent_not_found: missing,
  skill_not_found: missing,
  attachment_not_found: missing,
  link_not_found: missing,
  token_not_found: missing,
  route_not_found: missing,
  store_missing: missing,
  // the HTTP server
  sign_in_required: { exit: 1, http: 401, retry: false },
  method_not_allowed: { exit: 1, http: 405, retry: false },
  media_type: { exit: 1, http: 415, retry: false },
  too_large: { exit: 1, http: 413, retry: false },
  too_many_attempts: { exit: 75, http: 429, retry: true },
  address_in_use: taken,
  address_unusable: { exit: 1, http: 500, retry: false },
  // the rules of the board
  not_allowed: { exit: 1, http: 403, retry: false },
  wrong_status: refused,
  parents_open: refused,
  cycle: refused,
  self_link: refused,
  phantom_cards: refused,
  checks_required: refused,
  checks_failed: refused,
  board_exists: refused,
  agent_exists: refused,
  entry_not_ours: refused,
  config_unreadable: refused,
  board_archived: refused,
  board_in_use: refused,
  id_taken: refused,
  gate_closed: refused,
  not_in_review: refused,
  nothing_to_undo: refused,
  land_refused: refused,
  diff_refused: refused,
  checkout_refused: refused,
  dispatcher_absent: refused,
  // held or changed by another caller
  claim_lost: taken,
  run_superseded: taken,
  run_over: taken,
  run_live: taken,
  commands_changed: taken,
  verdict_pending: taken,
  dispatcher_superseded: taken,
  machine_id_shared: taken,
  base_moved: taken,
  // later
  capped: later,
  workspace_sweeping: later,
  directory_busy: later,
  store_busy: later,
  store_unreachable: later,
  // The change is stored and will be applied, so a client must not treat it as a failure.
  pending: { exit: 75, http: 202, retry: true },
  // the store itself
  store_auth_failed: broken,
  store_corrupt: broken,
  store_too_new: broken,
  store_too_old: broken,
  store_not_ours: broken,
  store_read_only: broken,
  store_unreadable: broken,
  store_io: broken,
  disk_full: broken,
  output_failed: broken,
  filesystem_unsuitable: broken,
  sqlite_unsuitable: broken,
  not_supported: { exit: 1, http: 501, retry: false },
  internal: broken,
} as const satisfies Record<string, CodeFacts>

export type ErrorCode = keyof typeof ERROR_CODES
export type ErrorDetails = Readonly<Record<string, unknown>>

export const errorFacts = (code: ErrorCode): CodeFacts => ERROR_CODES[code]

export class BoardError extends Error {
  override readonly name = 'BoardError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
  }

  get retryable(): boolean {
    return errorFacts(this.code).retry
  }

  toJSON(): { code: ErrorCode; message: string; details: ErrorDetails } {
    return { code: this.code, message: this.message, details: this.details }
  }
}

/** `where`: a path on the disk, or the database of a server. */
export const diskFull = (where: string, options: { details?: ErrorDetails; cause?: unknown } = {}): BoardError =>
  new BoardError('disk_full', `The disk that holds ${where} is full: free some space.`, options)

export const noBoard = (slug: string): BoardError =>
  new BoardError('board_not_found', `There is no board ${slug}. To create it: muster boards create ${slug}`, {
    details: { board: slug },
  })

/**
 * Whether a write failed because the disk is full or the user's disk quota is used up. The disk error may be the cause
 * of another error. A `BoardError` already has its own code.
 */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  if (error instanceof BoardError) return code === 'disk_full'
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
}

/** Turns any error into a `BoardError`. An unknown error is a bug in Muster, unless the disk is full. */
export function asBoardError(error: unknown): BoardError {
  if (error instanceof BoardError) return error
  const { path } = (error ?? {}) as { readonly path?: unknown }
  if (isDiskFull(error)) return diskFull(typeof path === 'string' ? path : "Muster's files", { cause: error })
  const message = error instanceof Error ? error.message : String(error)
  return new BoardError('internal', `Something went wrong in Muster itself: ${message}`, { cause: error })
}

/** Whether waiting can help: the store is busy or unreachable, or the disk is full. */
export const isTemporary = (error: unknown): error is BoardError =>
  error instanceof BoardError && (error.retryable || isDiskFull(error))
