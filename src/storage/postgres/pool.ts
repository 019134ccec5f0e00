/**
 * A pool of a few connections. Each connection runs one transaction at a time. The driver's own `begin` is not used. If
 * the server closes the connection during a transaction, the driver writes a rollback to the closed socket and ends the
 * whole process (porsager/postgres#1208). A lost connection accepts no further statements and is replaced.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../sql.ts'
import { isWrite } from '../tx.ts'
import type { Rows, Tx, Write } from '../tx.ts'
import { Connection } from './connection.ts'
import type { Outgoing, ServerOptions } from './connection.ts'
import { isDisconnect } from './errors.ts'
import type { Use } from './pipeline.ts'

/** The methods that a connection offers to the code that borrowed it. */
export type Session = Pick<Connection, 'sendAll' | 'runScript'>

export class Pool {
  readonly #server: ServerOptions
  readonly #connections: Set<Connection>
  /** The idle connections. The connection that was used last is at the end. */
  readonly #idle: Connection[]
  readonly #waiting: { readonly take: (connection: Connection) => void; readonly fail: (error: Error) => void }[] = []
  readonly #working = new Set<Promise<unknown>>()
  readonly #ending = new Set<Promise<void>>()
  #isEnded = false

  constructor(server: ServerOptions, size: number) {
    this.#server = server
    this.#idle = Array.from({ length: size }, () => new Connection(server))
    this.#connections = new Set(this.#idle)
  }

  get readOnly(): boolean {
    return this.#server.readOnly
  }

  /** Lends a connection. Statements run without a transaction, unless the caller begins a transaction. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#track(this.#lend(work, 'warm'))
  }

  /**
   * Lends the connection that has been idle longest. The connection that was used last has prepared the statements of
   * decisions, so it stays free for decisions.
   */
  useSpare<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#track(this.#lend(work, 'spare'))
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const done = work.finally(() => this.#working.delete(done))
    this.#working.add(done)
    return done
  }

  async #lend<T>(work: (session: Session) => Promise<T>, which: 'warm' | 'spare'): Promise<T> {
    if (this.#isEnded) throw storeClosed()
    const idle = which === 'warm' ? this.#idle.pop() : this.#idle.shift()
    const lent = idle ?? (await new Promise<Connection>((take, fail) => this.#waiting.push({ take, fail })))
    const connection = lent.isLost ? this.#replace(lent) : lent
    let isBroken = false
    try {
      return await work(connection)
    } catch (error) {
      isBroken = isDisconnect(error)
      throw error
    } finally {
      this.#giveBack(isBroken || connection.isLost ? this.#replace(connection) : connection, which)
    }
  }

  /** Runs a body and commits its writes. If the body throws an error, rolls back and throws this error. */
  write<T>(body: () => Tx<T>): Promise<T> {
    return this.use(async (session) => {
      const transaction = new Transaction(session, [this.#server.readOnly ? 'begin' : BEGIN_WRITING], 'decision')
      try {
        const result = await transaction.drive(body())
        await transaction.send(['commit'])
        return result
      } catch (error) {
        await transaction.rollBack(error)
        throw error
      }
    })
  }

  /** Runs a reading body. All its statements see the same snapshot. */
  read<T>(body: () => Tx<T>): Promise<T> {
    return this.use(async (session) => {
      const transaction = new Transaction(session, BEGIN_READING, 'read')
      try {
        return await transaction.drive(body())
      } finally {
        // The caller does not wait for the rollback, because the connection runs its next statements after the
        // rollback.
        void transaction.rollBack(null)
      }
    })
  }

  #giveBack(connection: Connection, which: 'warm' | 'spare'): void {
    const next = this.#waiting.shift()
    if (next) next.take(connection)
    else if (which === 'warm') this.#idle.push(connection)
    else this.#idle.unshift(connection)
  }

  #replace(lost: Connection): Connection {
    const ended = lost.end(0).finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
    const made = new Connection(this.#server)
    this.#connections.delete(lost)
    this.#connections.add(made)
    return made
  }

  /** Waits up to `seconds` for running work. After that, work that still waits for a connection fails. */
  async end(seconds: number): Promise<void> {
    this.#isEnded = true
    await Promise.race([Promise.allSettled(this.#working), sleep(seconds * 1000, undefined, { ref: false })])
    for (const { fail } of this.#waiting.splice(0)) fail(storeClosed())
    await Promise.all([...this.#connections].map((connection) => connection.end(seconds === 0 ? 0 : 1)))
    await Promise.all(this.#ending)
  }
}

const storeClosed = (): Error => Object.assign(new Error('the store is closed'), { code: 'CONNECTION_ENDED' })

/** Connections are read-only by default, so a writing transaction must ask for write access. */
export const BEGIN_WRITING = 'begin read write'

/**
 * Connections are configured for decisions. A read may scan a whole table and holds no lock, so it needs other
 * settings.
 */
const BEGIN_READING: readonly Outgoing[] = [
  'begin isolation level repeatable read read only',
  'set local enable_seqscan = on',
  // A slow reader of a page gets ten minutes. Without a limit, a stopped reader would keep the server from vacuuming.
  'set local idle_in_transaction_session_timeout = 600000',
]

/** Collects writes and sends them together with the next statement that needs an answer. */
class Transaction {
  readonly #session: Session
  readonly #use: Use
  #begin: readonly Outgoing[]
  #writes: Write[] = []
  #isBegun = false

  constructor(session: Session, begin: readonly Outgoing[], use: Use) {
    this.#session = session
    this.#begin = begin
    this.#use = use
  }

  async send(statements: readonly Outgoing[]): Promise<readonly Rows[]> {
    const before = [...this.#begin, ...this.#writes.map(outgoing)]
    this.#begin = []
    this.#writes = []
    this.#isBegun = true
    const answers = await this.#session.sendAll([...before, ...statements], this.#use)
    return answers.slice(before.length)
  }

  /** Runs the body. Each `Ask` takes one round trip. */
  async drive<T>(body: Tx<T>): Promise<T> {
    let step = body.next()
    while (step.done !== true) {
      if (isWrite(step.value)) {
        this.#writes.push(step.value)
        step = body.next([])
        continue
      }
      let answers: readonly Rows[]
      try {
        answers = await this.send(step.value.ask)
      } catch (error) {
        step = body.throw(error)
        continue
      }
      step = body.next(answers)
    }
    return step.value
  }

  /** Rolls back, unless `begin` was never sent. If the connection is lost, the server has already rolled back. */
  async rollBack(error: unknown): Promise<void> {
    if (!this.#isBegun || isDisconnect(error)) return
    await this.#session.sendAll(['rollback']).catch(() => undefined)
  }
}

/**
 * A compare-and-set that matches no row must stop the batch, because the commit may be in the same batch. So the
 * statement divides by the number of rows.
 */
const outgoing = ({ write, orConflict }: Write): Outgoing =>
  orConflict === null
    ? write
    : { guarded: sql`with written as (${write}) select 1 / count(*) as done from written`, orConflict }

/** Runs a body without a transaction. */
export async function drive<T>(session: Session, body: Tx<T>): Promise<T> {
  let step = body.next()
  while (step.done !== true) {
    const { value } = step
    step = body.next(await session.sendAll(isWrite(value) ? [outgoing(value)] : value.ask))
  }
  return step.value
}
