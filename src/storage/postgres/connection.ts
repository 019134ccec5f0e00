/**
 * One connection to the server. The driver opens it, because it handles addresses, passwords and settings. Then the
 * pipeline sends the statements of a batch together, so that a batch costs one round trip.
 *
 * A batch must never continue on another connection, outside of its transaction. So a lost connection accepts no
 * further statements, and the server accepts writes only between `begin read write` and `commit`.
 */
import type { Socket } from 'node:net'
import { render } from '../sql.ts'
import type { Sql } from '../sql.ts'
import { Conflict } from '../tx.ts'
import type { Rows } from '../tx.ts'
import { connectClient } from './client.ts'
import type { Client, ClientOptions } from './client.ts'
import { Pipeline } from './pipeline.ts'
import type { Statement, Use } from './pipeline.ts'

export type ServerOptions = Omit<ClientOptions, 'connections' | 'onClose' | 'onSocket'>

/** A statement that divides by zero if its condition no longer holds. */
export interface Guarded {
  readonly guarded: Sql
  readonly orConflict: string
}

/** A statement with values, or the text of a statement that needs none, such as `begin` or `commit`. */
export type Outgoing = Sql | string | Guarded

/** The server's limit on the values of one statement. */
const MOST_VALUES = 65_535
const DIVISION_BY_ZERO = '22012'

/**
 * Decisions must find their rows by index. Otherwise the server could keep a plan that scans a table, from a time when
 * the table was small. If a process is stopped or its machine sleeps during a decision, the server rolls the decision
 * back after 10 s, so that its locks do not block others.
 *
 * These are not startup parameters, because a pooler may drop those and the URL may replace them.
 */
const DECISION_SETTINGS = `select set_config('enable_seqscan', 'off', false),
  set_config('idle_in_transaction_session_timeout', '10000', false)`

const lostConnection = (): Error =>
  Object.assign(new Error('the connection was lost in the middle of a transaction'), { code: 'CONNECTION_CLOSED' })

export class Connection {
  readonly #client: Client
  #socket: Socket | null = null
  #opening: Promise<Pipeline> | null = null
  #pipeline: Pipeline | null = null
  #lost = false

  constructor(server: ServerOptions) {
    this.#client = connectClient({
      ...server,
      // If a statement runs outside its transaction by mistake, it fails instead of committing on its own.
      readOnly: true,
      connections: 1,
      onClose: () => this.#lose(),
      onSocket: (socket) => (this.#socket = socket),
    })
  }

  get isLost(): boolean {
    return this.#lost
  }

  /** Sends a batch and returns the rows of each statement, or throws the error of the first one that failed. */
  async sendAll(batch: readonly Outgoing[], use: Use = 'decision'): Promise<readonly Rows[]> {
    const statements = batch.map(statementOf)
    const { rows, error } = await (await this.#open()).send(statements, use)
    if (error !== null) throw failureOf(batch[rows.length], error)
    return rows
  }

  /** Runs statements that are separated by semicolons. */
  async runScript(text: string): Promise<void> {
    const { error } = await (await this.#open()).script(text)
    if (error !== null) throw error
  }

  async #open(): Promise<Pipeline> {
    if (this.#lost) throw lostConnection()
    if (this.#pipeline !== null) return this.#pipeline
    try {
      this.#pipeline = await (this.#opening ??= this.#takeOver())
    } catch (error) {
      this.#lost = true
      throw error
    }
    return this.#open()
  }

  /** The driver still owns and closes the socket, but the pipeline reads all answers from here on. */
  async #takeOver(): Promise<Pipeline> {
    await this.#client.unsafe(DECISION_SETTINGS)
    if (this.#socket === null) throw lostConnection()
    this.#socket.removeAllListeners('data')
    return new Pipeline(this.#socket)
  }

  #lose(): void {
    this.#lost = true
    this.#pipeline?.fail(lostConnection())
  }

  end(seconds: number): Promise<void> {
    return this.#client.end({ timeout: seconds })
  }
}

const sqlOf = (statement: Sql | Guarded): Sql => ('guarded' in statement ? statement.guarded : statement)

/** Throws for a value that cannot be sent, before anything is sent. */
function statementOf(statement: Outgoing): Statement {
  if (typeof statement === 'string') return { text: statement, values: [] }
  const query = sqlOf(statement)
  const { strings, values } = query
  if (values.length !== strings.length - 1 || values.length > MOST_VALUES || !values.every(isEncodable))
    throw new TypeError(`${values.length} values do not fit the statement: ${strings.join('?').slice(0, 200)}`)
  return { text: render(query, '$'), values }
}

const isEncodable = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number'

function failureOf(statement: Outgoing | undefined, error: Error): Error {
  const isGuarded = typeof statement === 'object' && 'guarded' in statement
  const { code } = error as { code?: unknown }
  return isGuarded && code === DIVISION_BY_ZERO ? new Conflict(statement.orConflict) : error
}
