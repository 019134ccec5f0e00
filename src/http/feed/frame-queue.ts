/** The messages that wait for one client. */

/** The maximum size of a chunk. A larger chunk would delay the messages of other clients. */
const CHUNK_BYTES = 64 * 1024

export class FrameQueue {
  #frames: Uint8Array[] = []
  #bytes = 0
  /** Notices about running cards, of which only the newest for each run is kept. */
  readonly #notices = new Map<string, Uint8Array>()
  #isOver = false
  #wake = (): void => {}

  /** The size of the waiting messages. Notices do not count, because each running card has at most one. */
  get bytes(): number {
    return this.#bytes
  }

  push(...frames: readonly Uint8Array[]): void {
    if (this.#isOver) return
    for (const frame of frames) {
      this.#frames.push(frame)
      this.#bytes += frame.length
    }
    if (frames.length > 0) this.#wake()
  }

  notify(run: string, frame: Uint8Array): void {
    if (this.#isOver) return
    this.#notices.set(run, frame)
    this.#wake()
  }

  /** Drops all waiting messages and ends the queue. The messages in `last` are still sent. */
  end(last: readonly Uint8Array[] = []): void {
    if (this.#isOver) return
    this.#clear()
    this.push(...last)
    this.#isOver = true
    this.#wake()
  }

  /** Waits for messages and returns some of them. Returns null after the last message. */
  async take(): Promise<Uint8Array | null> {
    while (this.#frames.length === 0 && this.#notices.size === 0) {
      if (this.#isOver) return null
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    return Buffer.concat([...this.#takeFrames(), ...this.#takeNotices()])
  }

  #takeFrames(): readonly Uint8Array[] {
    let count = 0
    let bytes = 0
    for (const { length } of this.#frames) {
      if (count > 0 && bytes + length > CHUNK_BYTES) break
      count += 1
      bytes += length
    }
    this.#bytes -= bytes
    return this.#frames.splice(0, count)
  }

  #takeNotices(): readonly Uint8Array[] {
    const notices = [...this.#notices.values()]
    this.#notices.clear()
    return notices
  }

  #clear(): void {
    this.#frames = []
    this.#bytes = 0
    this.#notices.clear()
  }
}
