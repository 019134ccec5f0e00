const NEWLINE = 0x0a

/**
 * The lines of a stream, without their ends. Null stands for one that is too long, at its first byte too many; whoever
 * goes on after that reads the line behind it. A last line that was not finished is dropped with its writer.
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
