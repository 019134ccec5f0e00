/**
 * Sends NOTIFY after commits, at most one every 5 ms, and listens for notifications. As a safety net it also polls the
 * counter of the feed every second. It does not use the driver's `listen`: if that is stopped while the server is away,
 * it later opens a connection that keeps the process alive. Here a lost connection is closed, and a new one is opened
 * when the server answers again.
 */
import { sql } from '../sql.ts'
import type { Client } from './client.ts'
import type { Pool } from './pool.ts'

/** The pause between two notifications: each costs the writer a round trip and wakes every watcher. */
const PAUSE_MS = 5

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
  /** The connection that listens; null before it is opened and after it is lost. */
  #listener: Client | null = null
  #sending: Promise<unknown> | null = null
  #pause: NodeJS.Timeout | null = null
  #again = false

  constructor(pool: Pool, connect: ConnectListener, channel: string) {
    this.#pool = pool
    this.#connect = connect
    this.#channel = channel
  }

  /** Sends a notification at once for the first commit after a pause. Commits during a pause share the next one. */
  ring(): void {
    if (this.#sending || this.#pause) this.#again = true
    else this.#send()
  }

  #send(): void {
    this.#again = false
    this.#sending = this.#pool
      .useSpare((session) => session.sendAll([sql`select pg_notify(${this.#channel}, '')`]))
      // A lost notification delays watchers by a second at most, because they also poll.
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
    // A new function for each watcher, because two watchers may pass the same callback.
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
    // Only one poll runs at a time. While the server is stopped, more polls would use up the connections of the pool.
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

  /** Opens the connection if none is open, then wakes all watchers: they may have missed earlier commits. */
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

  /** Wakes all watchers, so that their next query finds out that the server is away. */
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
    await this.#sending
    this.#endPause()
    await this.#sending
    if (this.#pause) clearTimeout(this.#pause)
    this.#watchers.clear()
    if (this.#listener !== null) await this.#giveUp(this.#listener)
  }
}
