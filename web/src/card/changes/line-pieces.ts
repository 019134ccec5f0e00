/** Splits a line into pieces. Each piece has one kind of token and is either changed or unchanged. */
import type { Span } from './intraline.ts'
import type { Token, TokenKind } from './tokenize.ts'

export interface LinePiece {
  readonly text: string
  readonly kind: TokenKind | null
  readonly isChanged: boolean
}

export function linePieces(tokens: readonly Token[], marks: readonly Span[]): readonly LinePiece[] {
  if (marks.length === 0) return tokens.map(({ text, kind }) => ({ text, kind, isChanged: false }))
  const edges = marks.flat()
  let at = 0
  return tokens.flatMap(({ text, kind }) => {
    const from = at
    at += text.length
    const cuts = [from, ...edges.filter((edge) => edge > from && edge < from + text.length), from + text.length]
    return cuts.slice(1).map((to, index) => {
      const start = cuts[index] ?? from
      const isChanged = marks.some(([first, end]) => first <= start && to <= end)
      return { text: text.slice(start - from, to - from), kind, isChanged }
    })
  })
}
