/** The lines of a log page. Old parts of the log are dropped, so a long log needs no more memory than a short one. */
import type { Passage } from '../../harnesses/stream/passage.ts'
import { passageText } from '../render/transcript.ts'
import { wrapLine } from '../render/wrap.ts'
import type { PageOf } from './state.ts'

export const PASSAGES_KEPT = 2_000
/**
 * The maximum length of printed text in one passage. Without this limit, output without line ends would grow forever.
 */
const PRINTED_MAX = 16_384

type LogPage = PageOf<'log'>

export function appendPassages(page: LogPage, added: readonly Passage[], columns: number): LogPage {
  const passages = [...page.passages]
  for (const passage of added) {
    const last = passages.at(-1)
    if (last?.kind === 'printed' && passage.kind === 'printed' && isOpen(last.text))
      passages[passages.length - 1] = { kind: 'printed', text: last.text + passage.text }
    else passages.push(passage)
  }
  const dropped = passages.splice(0, passages.length - PASSAGES_KEPT)
  // While a person reads earlier output, the same line stays at the top.
  const lines = page.follows ? 0 : logLines(dropped, columns, { colors: false }).length
  return { ...page, passages, top: Math.max(0, page.top - lines) }
}

const isOpen = (text: string): boolean => !text.endsWith('\n') && text.length < PRINTED_MAX

interface Look {
  readonly colors: boolean
}

/** Formats passages as lines. Two empty lines in a row become one, and an empty line at the beginning is left out. */
export function logLines(passages: readonly Passage[], columns: number, { colors }: Look): readonly string[] {
  const lines: string[] = []
  for (const passage of passages)
    for (const line of linesOf(passage, columns, { colors }))
      if (line !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(line)
  return lines
}

interface Wrapped {
  readonly columns: number
  readonly colors: boolean
  readonly lines: readonly string[]
}

/**
 * Caches the wrapped lines of each passage, because a passage never changes. The lines stay valid until the width
 * changes.
 */
const wrapped = new WeakMap<Passage, Wrapped>()

function linesOf(passage: Passage, columns: number, { colors }: Look): readonly string[] {
  const known = wrapped.get(passage)
  if (known !== undefined && known.columns === columns && known.colors === colors) return known.lines
  const text = passageText(passage, { columns, colors }).replace(/\n$/, '').split('\n')
  // Printed text gets no colours, and `passageText` does not wrap it.
  const lines =
    passage.kind === 'printed' ? text.flatMap((line) => wrapLine(line.replaceAll('\t', '    '), columns)) : text
  wrapped.set(passage, { columns, colors, lines })
  return lines
}
