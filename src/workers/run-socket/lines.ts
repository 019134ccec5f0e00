const NEWLINE = 0x0a

/** Thrown at the first byte too many: what follows cannot be told apart any more. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'
}

/** The lines of a stream, without their ends. A last line that was not finished is dropped with its writer. */
export async function* readLines(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, end)
      if (length + rest.length > maxBytes) throw new LineTooLong()
      yield Buffer.concat([...begun, rest])
      begun = []
      length = 0
      from = end + 1
    }
    begun.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maxBytes) throw new LineTooLong()
  }
}
