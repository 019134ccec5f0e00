/**
 * A few connections, each a client of its own that one transaction at a time may use. The driver's own `begin` is not
 * used: when the server hangs up in the middle, it writes its rollback to a socket that is gone and so ends the whole
 * process (porsager/postgres#1208). A lost connection takes no further statement and is replaced.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isWrite } from '../tx.ts'
import type { Ask, Rows, Tx, Write } from '../tx.ts'
import { combineQuestions, combineWrites } from './combine.ts'
import { Connection } from './connection.ts'
import type { Outgoing, Server } from './connection.ts'
import { isDisconnect } from './errors.ts'

/** What a caller may do with the connection it was lent. */
export type Session = Pick<Connection, 'sendAll' | 'runScript'>

export class Pool {
  readonly #server: Server
  readonly #connections: Set<Connection>
  /** The one used last is at the end. */
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
    return this.#track(this.#lend(work, 'warm'))
  }

  /** The same with the connection that has rested longest: decisions keep the one that knows their statements. */
  useSpare<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#track(this.#lend(work, 'spare'))
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const done = work.finally(() => this.#working.delete(done))
    this.#working.add(done)
    return done
  }

  async #lend<T>(work: (session: Session) => Promise<T>, which: 'warm' | 'spare'): Promise<T> {
    if (this.#isEnded) throw Object.assign(new Error('the store is closed'), { code: 'CONNECTION_ENDED' })
    const idle = which === 'warm' ? this.#idle.pop() : this.#idle.shift()
    const lent = idle ?? (await new Promise<Connection>((resolve) => this.#waiting.push(resolve)))
    const connection = lent.isLost ? this.#replace(lent) : lent
    let isSpoilt = false
    try {
      return await work(connection)
    } catch (error) {
      isSpoilt = isDisconnect(error)
      throw error
    } finally {
      this.#giveBack(isSpoilt || connection.isLost ? this.#replace(connection) : connection, which)
    }
  }

  /** Runs a body to its end and commits it, or takes all of it back and throws what went wrong. */
  write<T>(body: () => Tx<T>): Promise<T> {
    return this.use(async (session) => {
      const transaction = new Transaction(session, this.#server.readOnly ? ['begin'] : BEGIN_WRITING)
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

  /** Runs a read-only body in one snapshot. */
  read<T>(body: () => Tx<T>): Promise<T> {
    return this.use(async (session) => {
      const transaction = new Transaction(session, ['begin isolation level repeatable read read only'])
      try {
        return await transaction.drive(body())
      } finally {
        // Nothing depends on the end of a snapshot: the connection's next statements follow it in order.
        void transaction.rollBack(null)
      }
    })
  }

  #giveBack(connection: Connection, which: 'warm' | 'spare'): void {
    const next = this.#waiting.shift()
    if (next) next(connection)
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

  /** Lets what is under way come to its end, but not for ever. */
  async end(seconds: number): Promise<void> {
    this.#isEnded = true
    await Promise.race([Promise.allSettled(this.#working), sleep(seconds * 1000, undefined, { ref: false })])
    await Promise.all([...this.#connections].map((connection) => connection.end(seconds === 0 ? 0 : 1)))
    await Promise.all(this.#ending)
  }
}

/**
 * Connections refuse to write otherwise. A decision finds its rows by index: a plan that was made while a table was
 * small must not read all of it once it is large. A process that is stopped, or a machine that sleeps, in the middle of a
 * decision must not keep its locks from the others: after 10 s the server rolls the decision back.
 */
export const BEGIN_WRITING: readonly Outgoing[] = [
  'begin read write',
  'set local enable_seqscan = off',
  'set local idle_in_transaction_session_timeout = 10000',
]

/** Collects the statements that nothing waits for, and sends them with the next one whose answer is needed. */
class Transaction {
  readonly #session: Session
  #begin: readonly Outgoing[]
  #writes: Write[] = []
  #isBegun = false

  constructor(session: Session, begin: readonly Outgoing[]) {
    this.#session = session
    this.#begin = begin
  }

  async send(statements: readonly Outgoing[]): Promise<readonly Rows[]> {
    const before = [...this.#begin, ...combineWrites(this.#writes)]
    this.#begin = []
    this.#writes = []
    this.#isBegun = true
    const answers = await this.#session.sendAll([...before, ...statements])
    return answers.slice(before.length)
  }

  async #ask(ask: Ask): Promise<readonly Rows[]> {
    const combined = combineQuestions(ask)
    const answers = await this.send(combined.map(({ statement }) => statement))
    return combined.flatMap(({ split }, at) => split(answers[at] ?? []))
  }

  /** One round trip for each question of the body. */
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
        answers = await this.#ask(step.value)
      } catch (error) {
        step = body.throw(error)
        continue
      }
      step = body.next(answers)
    }
    return step.value
  }

  /** After a lost connection the server has rolled back already; without `begin` there is nothing to roll back. */
  async rollBack(error: unknown): Promise<void> {
    if (!this.#isBegun || isDisconnect(error)) return
    await this.#session.sendAll(['rollback']).catch(() => undefined)
  }
}

/** Runs statements on their own, outside of a transaction. */
export async function drive<T>(session: Session, body: Tx<T>): Promise<T> {
  let step = body.next()
  while (step.done !== true) {
    const { value } = step
    step = body.next(await session.sendAll(isWrite(value) ? combineWrites([value]) : value.ask))
  }
  return step.value
}
