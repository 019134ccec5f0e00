/**
 * One connection to the server. Statements are sent together and run one after the other, so a batch costs one round
 * trip. The first use of a statement on a connection costs one more, because the driver asks the server for its types.
 *
 * A batch must never continue on another connection. The driver would connect again and send what it still had in its
 * queue, outside of the transaction. So whatever was not sent when the connection closes is cancelled, and the server
 * only accepts writes between `begin read write` and `commit`.
 */
import { render } from '../sql.ts'
import type { Sql } from '../sql.ts'
import { Conflict } from '../tx.ts'
import type { Row, Rows } from '../tx.ts'
import { connectClient } from './client.ts'
import type { Client, ClientOptions } from './client.ts'

export type Server = Omit<ClientOptions, 'connections' | 'onClose'>

/** A statement that divides by zero if its condition no longer holds. */
export interface Guarded {
  readonly guarded: Sql
  readonly orConflict: string
}

/** A statement with values, or text that needs none: `begin`, `commit`. */
export type Outgoing = Sql | string | Guarded

type Pending = ReturnType<Client['unsafe']>

/** The server's limit on the values of one statement. */
const MOST_VALUES = 65_533
/** `simple` is not in the driver's types. Without it a statement that has no values is not prepared. */
const PREPARED: { readonly prepare: true; readonly simple: false } = { prepare: true, simple: false }
const DIVISION_BY_ZERO = '22012'

const lostConnection = (): Error =>
  Object.assign(new Error('the connection was lost in the middle of a transaction'), { code: 'CONNECTION_CLOSED' })

export class Connection {
  readonly #client: Client
  readonly #pending = new Set<Pending>()
  #lost = false

  constructor(server: Server) {
    // A statement that leaves its transaction, for whatever reason, then fails instead of committing alone.
    this.#client = connectClient({ ...server, readOnly: true, connections: 1, onClose: () => this.#lose() })
  }

  get isLost(): boolean {
    return this.#lost
  }

  /** Sends a batch and returns the rows of each statement; throws the first error, in the order of the statements. */
  async sendAll(batch: readonly Outgoing[]): Promise<readonly Rows[]> {
    // The driver answers the wrong statement when it cannot encode one in a batch: check all of them first.
    batch.forEach(checkValues)
    if (this.#lost) throw lostConnection()
    const answers = await Promise.allSettled(batch.map((statement) => this.#send(statement)))
    return answers.map((answer, at) => {
      if (answer.status === 'fulfilled') return answer.value
      throw failureOf(batch[at], answer.reason)
    })
  }

  async #send(statement: Outgoing): Promise<Rows> {
    const query = this.#query(statement)
    this.#pending.add(query)
    try {
      return await query
    } finally {
      this.#pending.delete(query)
    }
  }

  #query(statement: Outgoing): Pending {
    if (typeof statement === 'string') return this.#client.unsafe<Row[]>(statement)
    const query = sqlOf(statement)
    return this.#client.unsafe<Row[]>(render(query, '$'), [...query.values], PREPARED)
  }

  /**
   * Runs while the driver handles the close: it has rejected the statements that were sent, and has not yet connected
   * again for those in its queue.
   */
  #lose(): void {
    this.#lost = true
    for (const query of this.#pending) query.cancel()
  }

  end(seconds: number): Promise<void> {
    return this.#client.end({ timeout: seconds })
  }
}

const sqlOf = (statement: Sql | Guarded): Sql => ('guarded' in statement ? statement.guarded : statement)

function checkValues(statement: Outgoing): void {
  if (typeof statement === 'string') return
  const { strings, values } = sqlOf(statement)
  const isEncodable = values.every((value) => value === null || ['string', 'number'].includes(typeof value))
  if (values.length !== strings.length - 1 || values.length > MOST_VALUES || !isEncodable)
    throw new TypeError(`${values.length} values do not fit the statement: ${strings.join('?').slice(0, 200)}`)
}

function failureOf(statement: Outgoing | undefined, error: unknown): unknown {
  const isGuarded = typeof statement === 'object' && 'guarded' in statement
  const { code } = (error ?? {}) as { code?: unknown }
  return isGuarded && code === DIVISION_BY_ZERO ? new Conflict(statement.orConflict) : error
}
