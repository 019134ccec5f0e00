/**
 * NOTIFY after commits, at most one every 5 ms; LISTEN with the feed's counter as a safety net every second. The driver's
 * own `listen` is not used: after the server was away, its end leaves a connection behind that it makes later, and the
 * process never ends. Here a lost connection is given up, and made anew once the server answers again.
 */
import { sql } from '../sql.ts'
import type { Client } from './client.ts'
import type { Pool } from './pool.ts'

/** A notice costs the writer a round trip and wakes every watcher, however little each commit changed. */
const REST_MS = 5

export const channelOf = (schema: string): string => `muster_${schema}`

export interface Hearing {
  readonly onNotify: () => void
  readonly onClose: () => void
}

/** Opens a connection that is only there to listen. */
export type Listen = (hearing: Hearing) => Client

export class Notifier {
  readonly #pool: Pool
  readonly #connect: Listen
  readonly #channel: string
  readonly #watchers = new Set<() => void>()
  /** The connection that listens; null when there is none, or none any more. */
  #ear: Client | null = null
  #sending: Promise<unknown> | null = null
  #resting: NodeJS.Timeout | null = null
  #again = false

  constructor(pool: Pool, connect: Listen, channel: string) {
    this.#pool = pool
    this.#connect = connect
    this.#channel = channel
  }

  /** Announces the first commit after a pause at once. Commits that follow closely share the next notice. */
  ring(): void {
    if (this.#sending || this.#resting) this.#again = true
    else this.#send()
  }

  #send(): void {
    this.#again = false
    this.#sending = this.#pool
      .useSpare((session) => session.sendAll([sql`select pg_notify(${this.#channel}, '')`]))
      // A notice that is lost costs watchers a second: the commit has happened all the same.
      .catch(() => undefined)
      .then(() => {
        this.#sending = null
        this.#resting = setTimeout(() => this.#rested(), REST_MS)
      })
  }

  #rested(): void {
    if (this.#resting) clearTimeout(this.#resting)
    this.#resting = null
    if (this.#again) this.#send()
  }

  async listen(onChange: () => void, position: () => Promise<number>): Promise<{ stop(): Promise<void> }> {
    // Each listener counts by itself, though two may bring the same function.
    const tell = (): void => onChange()
    this.#watchers.add(tell)
    let seen: number
    try {
      await this.#hear()
      seen = await position()
    } catch (error) {
      await this.#stop(tell)
      throw error
    }
    const look = async (): Promise<void> => {
      const now = await position()
      if (now !== seen) onChange()
      seen = now
      if (this.#watchers.has(tell)) await this.#hear()
    }
    const net = setInterval(() => void look().catch(() => undefined), 1000)
    net.unref()
    return {
      stop: async () => {
        clearInterval(net)
        await this.#stop(tell)
      },
    }
  }

  /** Nothing to do while somebody listens. What was committed before it listened may have been missed. */
  async #hear(): Promise<void> {
    if (this.#ear !== null) return
    const ear: Client = this.#connect({ onNotify: () => this.#notifyAll(), onClose: () => this.#lost(ear) })
    this.#ear = ear
    try {
      await ear.unsafe(`listen "${this.#channel}"`)
    } catch (error) {
      await this.#giveUp(ear)
      throw error
    }
    this.#notifyAll()
  }

  #notifyAll(): void {
    for (const tell of this.#watchers) tell()
  }

  /** Whoever looks now finds out that the server is away, and need not wait for it to be told. */
  #lost(ear: Client): void {
    if (this.#ear !== ear) return
    void this.#giveUp(ear)
    this.#notifyAll()
  }

  async #giveUp(ear: Client): Promise<void> {
    if (this.#ear !== ear) return
    this.#ear = null
    await ear.end({ timeout: 0 })
  }

  async #stop(watcher: () => void): Promise<void> {
    this.#watchers.delete(watcher)
    if (this.#watchers.size === 0 && this.#ear !== null) await this.#giveUp(this.#ear)
  }

  async close(): Promise<void> {
    await this.#sending
    this.#rested()
    await this.#sending
    if (this.#resting) clearTimeout(this.#resting)
    this.#watchers.clear()
    if (this.#ear !== null) await this.#giveUp(this.#ear)
  }
}
