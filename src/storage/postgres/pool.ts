/**
 * A few connections, each a client of its own that one transaction at a time may use. The driver's own `begin` is not
 * used: when the server hangs up in the middle, it writes its rollback to a socket that is gone and so ends the whole
 * process (porsager/postgres#1208), and a statement sent after it has connected again would run outside its
 * transaction. Here a connection that was lost takes no further statement, and is never used again.
 */
import { render } from '../sql.ts'
import type { Sql } from '../sql.ts'
import type { Row, Tx } from '../tx.ts'
import { connectClient } from './client.ts'
import type { Client, ClientOptions } from './client.ts'
import { isDisconnect } from './errors.ts'

type Server = Omit<ClientOptions, 'connections' | 'onClose'>

const lostConnection = (): Error =>
  Object.assign(new Error('the connection was lost in the middle of a transaction'), { code: 'CONNECTION_CLOSED' })

class Connection {
  readonly #client: Client
  #lost = false

  constructor(server: Server) {
    this.#client = connectClient({ ...server, connections: 1, onClose: () => (this.#lost = true) })
  }

  get isLost(): boolean {
    return this.#lost
  }

  /** A connection that went while nobody used it is simply made again by its next statement. */
  renew(): void {
    this.#lost = false
  }

  async send(statement: Sql): Promise<readonly Row[]> {
    if (this.#lost) throw lostConnection()
    return this.#client.unsafe(render(statement, '$'), [...statement.values], { prepare: true })
  }

  /** One or more statements without values. */
  async script(text: string): Promise<readonly Row[]> {
    if (this.#lost) throw lostConnection()
    return this.#client.unsafe(text)
  }

  end(seconds: number): Promise<void> {
    return this.#client.end({ timeout: seconds })
  }
}

/** What a caller may do with the connection it was lent. */
export type Session = Pick<Connection, 'send' | 'script'>

export class Pool {
  readonly #server: Server
  readonly #idle: Connection[]
  readonly #waiting: ((connection: Connection) => void)[] = []
  readonly #busy = new Set<Connection>()
  readonly #ending = new Set<Promise<void>>()

  constructor(server: Server, size: number) {
    this.#server = server
    this.#idle = Array.from({ length: size }, () => new Connection(server))
  }

  /** Statements of one connection, outside a transaction of their own unless the caller begins one. */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? (await new Promise<Connection>((resolve) => this.#waiting.push(resolve)))
    this.#busy.add(connection)
    connection.renew()
    try {
      return await work(connection)
    } finally {
      this.#busy.delete(connection)
      this.#giveBack(connection.isLost ? this.#replace(connection) : connection)
    }
  }

  /** Runs a body to its end and commits it, or takes all of it back and throws what went wrong. */
  transaction<T>(options: string, body: () => Tx<T>): Promise<T> {
    return this.use(async (session) => {
      await session.script(`begin ${options}`)
      let result: T
      try {
        result = await drive(session, body())
      } catch (error) {
        // A server that hung up has taken everything back already.
        if (!isDisconnect(error)) await session.script('rollback').catch(() => undefined)
        throw error
      }
      await session.script('commit')
      return result
    })
  }

  #giveBack(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#idle.push(connection)
  }

  #replace(lost: Connection): Connection {
    const ended = lost.end(0).finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
    return new Connection(this.#server)
  }

  async end(seconds: number): Promise<void> {
    await Promise.all([...this.#idle, ...this.#busy].map((connection) => connection.end(seconds)))
    await Promise.all(this.#ending)
  }
}

/** Runs a transaction body to its end, a round trip a statement. */
export async function drive<T>(session: Session, body: Tx<T>): Promise<T> {
  let step = body.next()
  while (!step.done) {
    let rows: readonly Row[]
    try {
      rows = await session.send(step.value)
    } catch (error) {
      step = body.throw(error)
      continue
    }
    step = body.next(rows)
  }
  return step.value
}
