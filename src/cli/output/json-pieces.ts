import { jsonText } from './escape.ts'

const PIECE_LENGTH = 64 * 1024

/**
 * Writes the same text as `JSON.stringify(value, null, 2)` and a newline. A list is written in pieces, because a list
 * of a million cards exceeds the maximum length of a string.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > 0) yield* listPieces(value)
  else yield `${jsonText(value, 2)}\n`
}

function* listPieces(items: readonly unknown[]): Generator<string> {
  let piece = '['
  for (const [index, item] of items.entries()) {
    // Newlines in strings are escaped, so every newline in the text belongs to the layout and is followed by an
    // indentation.
    const text = jsonText(item, 2)
    piece += `${index === 0 ? '' : ','}\n  ${text.replaceAll('\n', '\n  ')}`
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n]\n`
}
