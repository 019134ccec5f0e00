/** Ends the streams of tokens that were revoked or have expired. A stream may stay open as long as its run. */
import { isExpired } from '../../core/token.ts'
import type { Token } from '../../core/token.ts'
import type { Store } from '../../storage/store.ts'

const CHECK_MS = 5_000

interface OpenStream {
  /** A signal that aborts when the token is no longer valid. */
  readonly signal: AbortSignal
  readonly close: () => void
}

export class OpenStreams {
  readonly #store: Pick<Store, 'tokens' | 'now'>
  /** The open streams, each with the id of its token. */
  readonly #tokens = new Map<AbortController, string>()
  #timer: NodeJS.Timeout | undefined

  constructor(store: Pick<Store, 'tokens' | 'now'>) {
    this.#store = store
  }

  get count(): number {
    return this.#tokens.size
  }

  open({ id }: Pick<Token, 'id'>): OpenStream {
    const stream = new AbortController()
    this.#tokens.set(stream, id)
    // The error is ignored, because the tokens are read again at the next check.
    this.#timer ??= setInterval(() => void this.endRevoked().catch(() => {}), CHECK_MS).unref()
    return { signal: stream.signal, close: () => this.#close(stream) }
  }

  async endRevoked(): Promise<void> {
    // The streams are listed before the tokens are read. Otherwise a stream that opens in between could seem to have no
    // valid token.
    const open = [...this.#tokens]
    const [tokens, now] = await Promise.all([this.#store.tokens(), this.#store.now()])
    const valid = new Set(tokens.filter((token) => !isExpired(token, now)).map(({ id }) => id))
    for (const [stream, id] of open) if (!valid.has(id)) stream.abort()
  }

  #close(stream: AbortController): void {
    this.#tokens.delete(stream)
    if (this.#tokens.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
