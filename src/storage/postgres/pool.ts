/**
 * A few connections, each a client of its own that one transaction at a time may use. The driver's own `begin` is not
 * used: when the server hangs up in the middle, it writes its rollback to a socket that is gone and so ends the whole
 * process (porsager/postgres#1208), and a statement sent after it has connected again would run outside its
 * transaction. Here a connection that was lost takes no further statement, and is never used again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
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
  readonly #connections: Set<Connection>
  readonly #idle: Connection[]
  readonly #waiting: ((connection: Connection) => void)[] = []
  readonly #working = new Set<Promise<unknown>>()
  readonly #ending = new Set<Promise<void>>()
  #isEnded = false

  constructor(server: Server, size: number) {
    this.#server = server
    this.#idle = Array.from({ length: size }, () => new Connection(server))
    this.#connections = new Set(this.#idle)
  }

  /** Lends a connection. Its statements are on their own unless the caller begins a transaction. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const done = this.#lend(work).finally(() => this.#working.delete(done))
    this.#working.add(done)
    return done
  }

  async #lend<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#isEnded) throw Object.assign(new Error('the store is closed'), { code: 'CONNECTION_ENDED' })
    const connection = this.#idle.pop() ?? (await new Promise<Connection>((resolve) => this.#waiting.push(resolve)))
    connection.renew()
    let isSpoilt = false
    try {
      return await work(connection)
    } catch (error) {
      isSpoilt = isDisconnect(error)
      throw error
    } finally {
      this.#giveBack(isSpoilt || connection.isLost ? this.#replace(connection) : connection)
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
    const made = new Connection(this.#server)
    this.#connections.delete(lost)
    this.#connections.add(made)
    return made
  }

  /** Lets what is under way come to its end, but not for ever. */
  async end(seconds: number): Promise<void> {
    this.#isEnded = true
    await Promise.race([Promise.allSettled(this.#working), sleep(seconds * 1000, undefined, { ref: false })])
    await Promise.all([...this.#connections].map((connection) => connection.end(seconds === 0 ? 0 : 1)))
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
