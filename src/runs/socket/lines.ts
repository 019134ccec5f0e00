const NEWLINE = 0x0a

/**
 * Yields the lines of a stream, without their newlines. If a line is too long, yields null and continues with the next
 * line. An unfinished last line is dropped.
 */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array | null> {
  let begun: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    for (let from = 0; ;) {
      const end = chunk.indexOf(NEWLINE, from)
      const piece = end === -1 ? chunk.subarray(from) : chunk.subarray(from, end)
      const fitted = length <= maxBytes
      length += piece.length
      if (length <= maxBytes) begun.push(piece)
      else if (fitted) {
        begun = []
        yield null
      }
      if (end === -1) break
      if (length <= maxBytes) yield begun.length === 1 ? piece : Buffer.concat(begun)
      begun = []
      length = 0
      from = end + 1
    }
  }
}
