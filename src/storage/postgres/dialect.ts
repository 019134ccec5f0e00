import { setTimeout as sleep } from 'node:timers/promises'
import type { Condition, Dialect, EventRow } from '../dialect.ts'
import { join, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import { Conflict, first, run, runOrConflict } from '../tx.ts'
import type { Asking, Tx } from '../tx.ts'
import { explain, isRetryable } from './errors.ts'
import { Notifier, channelOf } from './notifier.ts'
import type { ConnectListener } from './notifier.ts'
import { drive } from './pool.ts'
import type { Pool } from './pool.ts'

const RERUNS = 5
const EVENT_CHUNK = 500

export interface Server {
  readonly pool: Pool
  /** Opens the connection that listens for notifications. */
  readonly connectListener: ConnectListener
  readonly schema: string
  /** The location of the store without its password, for messages. */
  readonly where: string
  readonly version: string
  /** The milliseconds to add to the server's clock: see `OpenOptions`. */
  readonly shift?: (() => number) | undefined
}

export class PostgresDialect implements Dialect {
  readonly engine = 'postgres'
  readonly forUpdate = raw('for update')
  readonly forNoKeyUpdate = raw('for no key update')
  readonly forShare = raw('for share')
  readonly #server: Server
  readonly #notifier: Notifier

  constructor(server: Server) {
    this.#server = server
    this.#notifier = new Notifier(server.pool, server.connectListener, channelOf(server.schema))
  }

  get engineVersion(): string {
    return this.#server.version
  }

  /**
   * The current time. The SQL function `now()` would return the start of the transaction, so after a wait for a lock, a
   * decision would get an old time.
   */
  get clock(): Sql {
    return sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint + ${this.#server.shift?.() ?? 0}::bigint`
  }

  *now(): Asking<number> {
    return Number((yield* first(sql`select ${this.clock} as now`))?.now)
  }

  *lockGraph(board: string): Tx<void> {
    yield* run(sql`select pg_advisory_xact_lock(hashtextextended(${`${this.#server.schema}.graph.${board}`}, 0))`)
  }

  /**
   * Locks the counter of the feed until the commit. So ids become visible in the order in which they are assigned. The
   * conditions are statements after the lock, so they see everything that was committed before the lock.
   */
  *appendEvents(events: readonly EventRow[], conditions: readonly Condition[] = []): Tx<void> {
    const isRaised = conditions.length > 0
    if (isRaised) yield* run(raiseFeed(events.length))
    for (const { query, orConflict } of conditions) yield* runOrConflict(query, orConflict)
    for (let at = 0; at < events.length; at += EVENT_CHUNK) {
      const chunk = events.slice(at, at + EVENT_CHUNK)
      const base = isRaised
        ? sql`select last_id - ${events.length - at}::bigint as base from feed`
        : sql`${raiseFeed(chunk.length)} returning last_id - ${chunk.length}::bigint as base`
      yield* run(insertEvents(chunk, base))
    }
  }

  *lastEventId(): Asking<number> {
    const row = yield* first(sql`select last_id from feed`)
    return Number(row?.last_id ?? 0)
  }

  // oxlint-disable-next-line require-yield -- PostgreSQL has no such value that is cheap to read
  *revision(): Asking<null> {
    return null
  }

  async transact<T>(body: () => Tx<T>): Promise<T> {
    for (let rerun = 0; ; rerun++) {
      try {
        return await this.#server.pool.write(body)
      } catch (error) {
        const again = error instanceof Conflict || isRetryable(error)
        if (!again || rerun >= RERUNS) throw explain(error, this.#server.where)
      }
      await sleep(Math.random() * 5 * 2 ** rerun)
    }
  }

  async read<T>(body: () => Tx<T>): Promise<T> {
    try {
      return await this.#server.pool.read(body)
    } catch (error) {
      throw explain(error, this.#server.where)
    }
  }

  ring(): void {
    this.#notifier.ring()
  }

  async watch(onChange: () => void): Promise<{ stop(): Promise<void> }> {
    try {
      // This query has no transaction, because it is a single statement that watchers send every second.
      return await this.#notifier.listen(onChange, () =>
        this.#server.pool.use((session) => drive(session, this.lastEventId())),
      )
    } catch (error) {
      throw explain(error, this.#server.where)
    }
  }

  isReplaced(): boolean {
    return false
  }

  /** Returns no damage, because the server checks its own files. */
  integrity(): Promise<readonly string[]> {
    return Promise.resolve([])
  }

  /**
   * When the process exits, running queries get only 0.2 s to finish, because a query may be waiting for a server that
   * is stopped.
   */
  async close({ exiting = false } = {}): Promise<void> {
    await this.#notifier.close()
    await this.#server.pool.end(exiting && this.#server.pool.readOnly ? 0.2 : 5)
  }
}

/** Takes ids from the counter of the feed. The row of the counter is locked until the commit. */
const raiseFeed = (count: number): Sql => sql`update feed set last_id = last_id + ${count}::bigint`

/** Inserts events. Their ids follow the `base` that a query returns. */
function insertEvents(events: readonly EventRow[], base: Sql): Sql {
  const values = events.map(
    ({ board, actor, createdAt, draft }, place) =>
      sql`(${place + 1}::bigint, ${board}, ${draft.kind}, ${draft.taskId}, ${draft.runId ?? null}, ${actor}, ${createdAt}::bigint, ${JSON.stringify(draft.data)})`,
  )
  return sql`
    with counter as (${base})
    insert into event (id, board, kind, task_id, run_id, actor, created_at, data)
    select counter.base + v.place, v.board, v.kind, v.task_id, v.run_id, v.actor, v.created_at, v.data
    from counter, (values ${join(values, ', ')}) as v (place, board, kind, task_id, run_id, actor, created_at, data)`
}
