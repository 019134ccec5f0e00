/** A card in a column of the board: its title, its id and agent, and its state. Each of them has at most two lines. */
import { oneLine } from '../output/escape.ts'
import type { ColumnCard } from './board-columns.ts'
import { assigneeOf, span } from './format-values.ts'
import type { Paints } from './paint.ts'
import { shortId } from './short-id.ts'
import { shortReason } from './short-reason.ts'
import { wrapLine } from './wrap.ts'

/** One line of a cell. The text is padded before it is coloured, so it has no colour codes yet. */
export interface Cell {
  readonly text: string
  readonly paint: (text: string) => string
}

export interface CellLook {
  readonly width: number
  readonly paints: Paints
  readonly now: number
}

export const plain = (text: string): string => text

export const workerOf = (card: ColumnCard): string => oneLine(card.run?.by ?? assigneeOf(card))

/** The state of a card: the reason why it does not start. For a running card, the time since its start. */
export function stateOf({ reason, run, status }: ColumnCard, now: number): string | null {
  if (run !== null) return `${span(now - run.startedAt)}${run.attempt === 1 ? '' : `, attempt ${run.attempt}`}`
  // For a card without an agent, the line with the agent already shows `(unassigned)`.
  return reason === null || reason.code === 'unassigned' || status === 'done' ? null : shortReason(reason, now)
}

export function cardCells(card: ColumnCard, { width, paints, now }: CellLook): readonly Cell[] {
  const paintState = (shown: string): string => paints.status(card.status, shown)
  return [
    ...twoLines(oneLine(card.title), width).map((text) => ({ text, paint: plain })),
    { text: `${shortId(card.id)} ${workerOf(card)}`, paint: paints.faint },
    ...twoLines(stateOf(card, now) ?? '', width).map((text) => ({ text, paint: paintState })),
  ]
}

/** Wraps a title or a reason to at most two lines. The caller cuts the second line if it is too long. */
function twoLines(text: string, width: number): readonly string[] {
  const [first = '', ...rest] = wrapLine(text, width)
  return [first, rest.join(' ')].filter((line) => line !== '')
}
