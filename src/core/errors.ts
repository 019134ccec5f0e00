/**
 * The errors that callers see. The exit code, the HTTP status and the MCP error follow from `code`. The message names
 * the thing and the remedy.
 */
interface CodeFacts {
  /**
   * The exit code of the command line: 1 refused, 2 wrong usage, 3 not found, 4 taken or changed by another caller, 75
   * try later.
   */
  readonly exit: 1 | 2 | 3 | 4 | 75
  readonly http: number
  /** Whether the same call can succeed later. */
  readonly retry: boolean
}

const refused = { exit: 1, http: 409, retry: false } as const
const usage = { exit: 2, http: 400, retry: false } as const
const missing = { exit: 3, http: 404, retry: false } as const
const taken = { exit: 4, http: 409, retry: false } as const
const later = { exit: 75, http: 503, retry: true } as const
const broken = { exit: 1, http: 500, retry: false } as const

export const ERROR_CODES = {
  // Errors in the input of the caller.
  invalid_input: usage,
  bad_text: usage,
  ambiguous_id: usage,
  // things that do not exist
  task_not_found: missing,
  board_not_found: missing,
  run_not_found: missing,
  snapshot_not_found: missing,
  account_not_found: missing,
  agent_not_found: missing,
  skill_not_found: missing,
  attachment_not_found: missing,
  comment_not_found: missing,
  link_not_found: missing,
  token_not_found: missing,
  view_not_found: missing,
  series_not_found: missing,
  template_not_found: missing,
  swarm_not_found: missing,
  route_not_found: missing,
  store_missing: missing,
  // errors of the HTTP server
  sign_in_required: { exit: 1, http: 401, retry: false },
  method_not_allowed: { exit: 1, http: 405, retry: false },
  media_type: { exit: 1, http: 415, retry: false },
  too_large: { exit: 1, http: 413, retry: false },
  too_many_attempts: { exit: 75, http: 429, retry: true },
  address_in_use: taken,
  address_unusable: { exit: 1, http: 500, retry: false },
  // Errors of a client of the HTTP server.
  server_unreachable: later,
  server_unsuitable: { exit: 1, http: 502, retry: false },
  // Refusals by the rules of the board.
  not_allowed: { exit: 1, http: 403, retry: false },
  wrong_status: refused,
  parents_open: refused,
  cycle: refused,
  already_decomposed: refused,
  self_link: refused,
  phantom_cards: refused,
  checks_required: refused,
  checks_failed: refused,
  board_exists: refused,
  agent_exists: refused,
  view_exists: refused,
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
  // Failures of a model.
  model_unconfigured: refused,
  model_refused: { exit: 1, http: 502, retry: false },
  model_unavailable: later,
  // Conflicts with another caller.
  claim_lost: taken,
  run_superseded: taken,
  run_over: taken,
  run_live: taken,
  commands_changed: taken,
  series_changed: taken,
  card_changed: { exit: 4, http: 412, retry: false },
  verdict_pending: taken,
  dispatcher_superseded: taken,
  machine_id_shared: taken,
  base_moved: taken,
  // Temporary errors, after which the caller can retry.
  capped: later,
  workspace_sweeping: later,
  directory_busy: later,
  store_busy: later,
  store_unreachable: later,
  // The change is stored and will be applied, so a client must not treat it as a failure.
  pending: { exit: 75, http: 202, retry: true },
  // Errors of the store itself.
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

/** The error for a full disk. `where` is a path on the disk, or the database of a server. */
export const diskFull = (where: string, options: { details?: ErrorDetails; cause?: unknown } = {}): BoardError =>
  new BoardError('disk_full', `The disk that holds ${where} is full: free some space.`, options)

export const noBoard = (slug: string): BoardError =>
  new BoardError('board_not_found', `There is no board ${slug}. To create it: muster boards create ${slug}`, {
    details: { board: slug },
  })

/**
 * Whether a write failed because the disk is full or the user's disk quota is used up. The cause of an error is
 * examined too. A `BoardError` already has its own code.
 */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  if (error instanceof BoardError) return code === 'disk_full'
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
}

/** Turns any error into a `BoardError`. An error that is neither a `BoardError` nor a full disk is a bug in Muster. */
export function asBoardError(error: unknown): BoardError {
  if (error instanceof BoardError) return error
  const { path } = (error ?? {}) as { readonly path?: unknown }
  if (isDiskFull(error)) return diskFull(typeof path === 'string' ? path : "Muster's files", { cause: error })
  const message = error instanceof Error ? error.message : String(error)
  return new BoardError('internal', `Something went wrong in Muster itself: ${message}`, { cause: error })
}

/** Whether a retry can succeed later: the store is busy or unreachable, or the disk is full. */
export const isTemporary = (error: unknown): error is BoardError =>
  error instanceof BoardError && (error.retryable || isDiskFull(error))
