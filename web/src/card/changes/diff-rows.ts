/** Builds the rows of a file in a diff: lines, pairs of lines side by side, and gaps for hidden unchanged lines. */
import { changedSpans } from './intraline.ts'
import type { Span } from './intraline.ts'
import type { DiffLine, Hunk } from './parse-patch.ts'

export interface ShownLine extends DiffLine {
  /** The parts of the line that changed. */
  readonly marks: readonly Span[]
}

export type DiffRow =
  | { readonly kind: 'line'; readonly line: ShownLine }
  | { readonly kind: 'pair'; readonly left: ShownLine | null; readonly right: ShownLine | null }
  /** A gap of hidden unchanged lines. At the end of the file, `lines` is null, because their number is unknown. */
  | { readonly kind: 'gap'; readonly at: number; readonly lines: number | null; readonly heading: string }

export type DiffView = 'unified' | 'split'

interface Shape {
  readonly view: DiffView
  /** Whether the patch contains the whole file. */
  readonly isWhole: boolean
  /** The gaps that the reader has opened, by the number of their first line. */
  readonly open: ReadonlySet<number>
}

const CONTEXT = 3
/** A gap has at least this many lines. Fewer lines would not be worth a click. */
const GAP_MIN = 4

export function diffRows(hunks: readonly Hunk[], shape: Shape): readonly DiffRow[] {
  return shape.isWhole ? foldedRows(hunks, shape) : hunkRows(hunks, shape)
}

function hunkRows(hunks: readonly Hunk[], { view }: Shape): readonly DiffRow[] {
  let next = 1
  const rows = hunks.flatMap(({ newStart, heading, lines }): readonly DiffRow[] => {
    const left = newStart - next
    const gap: readonly DiffRow[] = left > 0 ? [{ kind: 'gap', at: next, lines: left, heading }] : []
    next = lastNumber(lines, newStart - 1) + 1
    return [...gap, ...lineRows(lines, view)]
  })
  const last = hunks.at(-1)
  const mayContinue = last !== undefined && last.lines.slice(-CONTEXT).every(({ sign }) => sign === ' ')
  return mayContinue ? [...rows, { kind: 'gap', at: next, lines: null, heading: '' }] : rows
}

const lastNumber = (lines: readonly DiffLine[], otherwise: number): number =>
  lines.findLast(({ newNo }) => newNo !== null)?.newNo ?? otherwise

/** Builds the rows with gaps. Unchanged lines far from a change are hidden, unless the reader opened their gap. */
function foldedRows(hunks: readonly Hunk[], { view, open }: Shape): readonly DiffRow[] {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const near = new Uint8Array(lines.length)
  for (const [at, { sign }] of lines.entries())
    if (sign !== ' ') near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1)
  const rows: DiffRow[] = []
  for (let at = 0; at < lines.length;) {
    let end = at
    while (end < lines.length && near[end] === near[at]) end += 1
    const part = lines.slice(at, end)
    const first = part[0]?.newNo ?? 0
    if (near[at] === 1 || part.length < GAP_MIN || open.has(first)) rows.push(...lineRows(part, view))
    else rows.push({ kind: 'gap', at: first, lines: part.length, heading: '' })
    at = end
  }
  return rows
}

function lineRows(lines: readonly DiffLine[], view: DiffView): readonly DiffRow[] {
  const rows: DiffRow[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at]
    if (line === undefined) break
    if (line.sign === ' ') {
      const shown = { ...line, marks: [] }
      rows.push(view === 'split' ? { kind: 'pair', left: shown, right: shown } : { kind: 'line', line: shown })
      at += 1
      continue
    }
    const removed = signed(lines, at, '-')
    const added = signed(lines, at + removed.length, '+')
    rows.push(...replacedRows(removed, added, view))
    at += removed.length + added.length
  }
  return rows
}

function signed(lines: readonly DiffLine[], from: number, sign: '-' | '+'): readonly DiffLine[] {
  let to = from
  while (lines[to]?.sign === sign) to += 1
  return lines.slice(from, to)
}

/** Pairs the lines of a replaced block: the first removed line with the first added line, and so on. */
function replacedRows(removed: readonly DiffLine[], added: readonly DiffLine[], view: DiffView): readonly DiffRow[] {
  const lefts: ShownLine[] = []
  const rights: ShownLine[] = []
  for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
    const [left, right] = [removed[at], added[at]]
    const spans = left === undefined || right === undefined ? null : changedSpans(left.text, right.text)
    if (left !== undefined) lefts.push({ ...left, marks: spans?.before ?? [] })
    if (right !== undefined) rights.push({ ...right, marks: spans?.after ?? [] })
  }
  if (view === 'unified') return [...lefts, ...rights].map((line) => ({ kind: 'line', line }))
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, at) => ({
    kind: 'pair',
    left: lefts[at] ?? null,
    right: rights[at] ?? null,
  }))
}
