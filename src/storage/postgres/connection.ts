/**
 * One connection to the server. The driver opens it, because the driver handles addresses, passwords and settings. Then
 * the pipeline sends the statements of a batch together, so that a batch costs one round trip.
 *
 * A batch must never continue on another connection, outside its transaction. So a lost connection accepts no further
 * statements, and the server accepts writes only between `begin read write` and `commit`.
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

/** A statement with a condition. If the condition is no longer true, the statement divides by zero and so fails. */
export interface Guarded {
  readonly guarded: Sql
  readonly orConflict: string
}

/** A statement with values, or the text of a statement that needs none, such as `begin` or `commit`. */
export type Outgoing = Sql | string | Guarded

/** The maximum number of values in one statement. The server sets this limit. */
const MOST_VALUES = 65_535
const DIVISION_BY_ZERO = '22012'

/**
 * Settings of a connection for decisions. Decisions must find their rows by index. The server could otherwise keep a
 * plan that scans a table, from a time when the table was small. If a process stops or its machine sleeps during a
 * decision, the server rolls the decision back after 10 s, so that its locks do not block other decisions.
 *
 * These settings are not startup parameters, because a pooler may drop startup parameters and the URL may replace them.
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
      // A statement that runs outside its transaction by mistake is refused by the server. Otherwise it would commit on
      // its own.
      readOnly: true,
      connections: 1,
      onClose: () => this.#lose(),
      onSocket: (socket) => (this.#socket = socket),
    })
  }

  get isLost(): boolean {
    return this.#lost
  }

  /** Sends a batch and returns the rows of each statement. Throws the error of the first statement that failed. */
  async sendAll(batch: readonly Outgoing[], use: Use = 'decision'): Promise<readonly Rows[]> {
    const statements = batch.map(statementOf)
    const { rows, error } = await (await this.#open()).send(statements, use)
    if (error !== null) throw failureOf(batch[rows.length], error)
    return rows
  }

  /** Runs SQL text with several statements, separated by semicolons. */
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

  /** Lets the pipeline read all answers from now on. The driver still owns the socket and closes it. */
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

/** Checks the values of a statement before any part of it is sent. */
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
