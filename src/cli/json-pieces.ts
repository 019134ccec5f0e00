const PIECE_LENGTH = 64 * 1024

/**
 * What `JSON.stringify(value, null, 2)` gives, and a newline; a list comes in pieces. As one string a list of a million
 * cards would be longer than a string can be.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > 0) yield* listPieces(value)
  else yield `${JSON.stringify(value, null, 2)}\n`
}

function* listPieces(items: readonly unknown[]): Generator<string> {
  let piece = '['
  for (const [index, item] of items.entries()) {
    // A newline inside a text is escaped, so every one here is of the layout.
    const text = JSON.stringify(item, null, 2) as string | undefined
    piece += `${index === 0 ? '' : ','}\n  ${(text ?? 'null').replaceAll('\n', '\n  ')}`
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n]\n`
}
