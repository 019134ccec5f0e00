/** Reads the lines of a response while they arrive. */

/**
 * Yields the lines of a response. If the caller stops, the download ends. `onBytes` is called for every piece, even if
 * a piece has no complete line.
 */
export async function* readLines(response: Response, onBytes: () => void = () => {}): AsyncGenerator<string> {
  const body: ReadableStream<Uint8Array<ArrayBuffer>> | null = response.body
  const reader = body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      onBytes()
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel().catch(() => {})
  }
}
