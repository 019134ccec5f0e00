/**
 * Sends NOTIFY after commits, at most once every 5 ms, and listens for notifications. The notifier also polls the
 * counter of the feed every second, in case a notification is lost. The driver's `listen` is not used: if it is stopped
 * while the server is away, it later opens a connection that keeps the process alive. Here, a lost connection is
 * closed, and a new connection is opened when the server answers again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import type { Client } from './client.ts'
import type { Pool } from './pool.ts'

/** The pause between two notifications. Each notification costs the writer a round trip and wakes every watcher. */
const PAUSE_MS = 5
/** The maximum time for which closing waits for the last notification. A server that hangs never answers. */
const CLOSE_MS = 5_000

/**
 * The commit of a notification does not wait for the disk. A notification is lost in a crash of the server anyway, and
 * its flush would delay the commits of decisions.
 */
const notify = (channel: string): Sql =>
  sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, '')`

export const channelOf = (schema: string): string => `muster_${schema}`

export interface ListenerEvents {
  readonly onNotify: () => void
  readonly onClose: () => void
}

/** Opens a connection that only listens. */
export type ConnectListener = (events: ListenerEvents) => Client

export class Notifier {
  readonly #pool: Pool
  readonly #connect: ConnectListener
  readonly #channel: string
  readonly #watchers = new Set<() => void>()
  /** The connection that listens. Null means that the connection is not open yet, or is lost. */
  #listener: Client | null = null
  #sending: Promise<unknown> | null = null
  #pause: NodeJS.Timeout | null = null
  #again = false

  constructor(pool: Pool, connect: ConnectListener, channel: string) {
    this.#pool = pool
    this.#connect = connect
    this.#channel = channel
  }

  /**
   * Sends a notification at once for the first commit after a pause. Commits during a pause share the next
   * notification.
   */
  ring(): void {
    if (this.#sending || this.#pause) this.#again = true
    else this.#send()
  }

  #send(): void {
    this.#again = false
    this.#sending = this.#pool
      .useSpare((session) => session.sendAll([notify(this.#channel)]))
      // A lost notification delays watchers by at most a second, because they also poll.
      .catch(() => undefined)
      .then(() => {
        this.#sending = null
        this.#pause = setTimeout(() => this.#endPause(), PAUSE_MS)
      })
  }

  #endPause(): void {
    if (this.#pause) clearTimeout(this.#pause)
    this.#pause = null
    if (this.#again) this.#send()
  }

  async listen(onChange: () => void, position: () => Promise<number>): Promise<{ stop(): Promise<void> }> {
    // Each watcher gets a new function, because two watchers may pass the same callback.
    const notify = (): void => onChange()
    this.#watchers.add(notify)
    let seen: number
    try {
      await this.#startListening()
      seen = await position()
    } catch (error) {
      await this.#stop(notify)
      throw error
    }
    // Only one poll runs at a time. If the server is stopped, more polls would use up the connections of the pool.
    let isPolling = false
    const poll = async (): Promise<void> => {
      if (isPolling) return
      isPolling = true
      try {
        const now = await position()
        if (now !== seen) onChange()
        seen = now
        if (this.#watchers.has(notify)) await this.#startListening()
      } finally {
        isPolling = false
      }
    }
    const timer = setInterval(() => void poll().catch(() => undefined), 1000)
    timer.unref()
    return {
      stop: async () => {
        clearInterval(timer)
        await this.#stop(notify)
      },
    }
  }

  /**
   * Opens the connection if it is not open, and then wakes all watchers, because they may have missed earlier commits.
   */
  async #startListening(): Promise<void> {
    if (this.#listener !== null) return
    const listener: Client = this.#connect({ onNotify: () => this.#notifyAll(), onClose: () => this.#lost(listener) })
    this.#listener = listener
    try {
      await listener.unsafe(`listen "${this.#channel}"`)
    } catch (error) {
      await this.#giveUp(listener)
      throw error
    }
    this.#notifyAll()
  }

  #notifyAll(): void {
    for (const notify of this.#watchers) notify()
  }

  /** Wakes all watchers, so that their next query reports that the server is away. */
  #lost(listener: Client): void {
    if (this.#listener !== listener) return
    void this.#giveUp(listener)
    this.#notifyAll()
  }

  async #giveUp(listener: Client): Promise<void> {
    if (this.#listener !== listener) return
    this.#listener = null
    await listener.end({ timeout: 0 })
  }

  async #stop(watcher: () => void): Promise<void> {
    this.#watchers.delete(watcher)
    if (this.#watchers.size === 0 && this.#listener !== null) await this.#giveUp(this.#listener)
  }

  async close(): Promise<void> {
    await Promise.race([this.#sendLast(), sleep(CLOSE_MS, undefined, { ref: false })])
    if (this.#pause) clearTimeout(this.#pause)
    this.#watchers.clear()
    if (this.#listener !== null) await this.#giveUp(this.#listener)
  }

  async #sendLast(): Promise<void> {
    await this.#sending
    this.#endPause()
    await this.#sending
  }
}
