/** NOTIFY after commits, at most one at a time; LISTEN with the feed's counter as a safety net every second. */
import { sql } from '../sql.ts'
import type { Client } from './client.ts'
import type { Pool } from './pool.ts'

export const channelOf = (schema: string): string => `muster_${schema}`

export type Listen = () => Client

export class Notifier {
  readonly #pool: Pool
  readonly #listen: Listen
  readonly #channel: string
  #listener: Client | null = null
  #sending: Promise<unknown> | null = null
  #again = false

  constructor(pool: Pool, listen: Listen, channel: string) {
    this.#pool = pool
    this.#listen = listen
    this.#channel = channel
  }

  /** Commits that happen while a notice is on its way share the next one. */
  ring(): void {
    if (this.#sending) {
      this.#again = true
      return
    }
    this.#sending = this.#pool
      .use((session) => session.send(sql`select pg_notify(${this.#channel}, '')`))
      // A notice that is lost costs watchers a second: the commit has happened all the same.
      .catch(() => undefined)
      .then(() => {
        this.#sending = null
        if (this.#again) {
          this.#again = false
          this.ring()
        }
      })
  }

  async listen(onChange: () => void, position: () => Promise<number>): Promise<{ stop(): Promise<void> }> {
    this.#listener ??= this.#listen()
    const subscription = await this.#listener.listen(this.#channel, onChange, onChange)
    let seen = await position()
    const net = setInterval(() => {
      position().then(
        (now) => {
          if (now !== seen) onChange()
          seen = now
        },
        () => undefined,
      )
    }, 1000)
    net.unref()
    return {
      stop: async () => {
        clearInterval(net)
        await subscription.unlisten()
      },
    }
  }

  async close(): Promise<void> {
    while (this.#sending) await this.#sending
    await this.#listener?.end({ timeout: 1 })
  }
}
