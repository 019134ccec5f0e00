/** Reads a stream of server-sent events. */
export interface FeedMessage {
  /** The kind of the message. `message` stands for an event of the board. */
  readonly event: string
  readonly id: string | null
  readonly data: Readonly<Record<string, unknown>>
}

export interface FeedReader {
  /** Returns the next message, without heartbeats. Null at the end of the stream. */
  next(): Promise<FeedMessage | null>
  /** Returns the next message, without heartbeats and `hello`. */
  nextEvent(): Promise<FeedMessage | null>
  /** Returns the messages up to the first message that matches. */
  until(matches: (message: FeedMessage) => boolean): Promise<readonly FeedMessage[]>
  /** The last id of a message or heartbeat, as a browser would send it. */
  readonly lastEventId: string
  /** The text that was received but not read yet. */
  readonly heartbeats: number
  cancel(): Promise<void>
}

export function readFeed({ body }: Pick<Response, 'body'>): FeedReader {
  if (body === null) throw new Error('the response has no body')
  const chunks = (body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  let lastEventId = ''
  let heartbeats = 0
  const take = (): FeedMessage | null => {
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const { id, data, event = 'message', comments } = parse(block)
      lastEventId = id ?? lastEventId
      if (comments) heartbeats += 1
      if (data !== undefined) return { event, id: id ?? null, data: JSON.parse(data) as FeedMessage['data'] }
    }
    return null
  }
  const reader: FeedReader = {
    async next() {
      for (;;) {
        const message = take()
        if (message !== null) return message
        const { done, value } = await chunks.read()
        if (done) return null
        text += decoder.decode(value, { stream: true })
      }
    },
    async nextEvent() {
      const message = await reader.next()
      return message?.event === 'hello' ? reader.nextEvent() : message
    },
    async until(matches) {
      const seen: FeedMessage[] = []
      for (;;) {
        const message = await reader.next()
        if (message === null) throw new Error(`the stream ended after ${JSON.stringify(seen.slice(-3))}`)
        seen.push(message)
        if (matches(message)) return seen
      }
    },
    get lastEventId() {
      return lastEventId
    },
    get heartbeats() {
      return heartbeats
    },
    cancel: () => chunks.cancel(),
  }
  return reader
}

function parse(block: string): { id?: string; event?: string; data?: string; comments: boolean } {
  const lines = block.split('\n')
  const fields = lines
    .filter((line) => !line.startsWith(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const)
  return { ...Object.fromEntries(fields), comments: lines.some((line) => line.startsWith(':')) }
}
