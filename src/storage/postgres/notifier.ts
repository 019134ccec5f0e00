/** NOTIFY after commits, at most one at a time; LISTEN with the feed's counter as a safety net every second. */
import type { Client } from './client.ts'

export const channelOf = (schema: string): string => `muster_${schema}`

export class Notifier {
  readonly #client: Client
  readonly #channel: string
  #sending: Promise<unknown> | null = null
  #again = false

  constructor(client: Client, channel: string) {
    this.#client = client
    this.#channel = channel
  }

  /** Commits that happen while a notice is on its way share the next one. */
  ring(): void {
    if (this.#sending) {
      this.#again = true
      return
    }
    this.#sending = this.#client
      .notify(this.#channel, '')
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

  async settle(): Promise<void> {
    while (this.#sending) await this.#sending
  }

  async listen(onChange: () => void, position: () => Promise<number>): Promise<{ stop(): Promise<void> }> {
    const subscription = await this.#client.listen(this.#channel, onChange, onChange)
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
}
