/** The output of the `boards` commands. */
import { STATUSES } from '../../core/vocabulary.ts'
import type { BoardView } from '../../operations/boards/views.ts'
import { multiLine, oneLine } from '../output/escape.ts'
import { durationText } from '../../core/duration.ts'
import { localTime } from './format-values.ts'
import type { Cell } from './tsv.ts'

const NAME_WIDTH = 28

export const boardRow = ({ slug, name, total, isCurrent }: BoardView): readonly Cell[] => [slug, name, total, isCurrent]

export function boardTable(boards: readonly BoardView[]): string {
  const wide = Math.max(...boards.map(({ slug }) => slug.length), 0)
  return boards.map((board) => boardLine(board, wide)).join('\n')
}

function boardLine(board: BoardView, wide: number): string {
  const name = `${clipped(oneLine(board.name))}${board.archivedAt === null ? '' : ' [archived]'}`
  return `${board.isCurrent ? '●' : ' '} ${board.slug.padEnd(wide)}  ${name.padEnd(NAME_WIDTH)}  ${countsText(board)}`
}

const clipped = (name: string): string => (name.length <= NAME_WIDTH ? name : `${name.slice(0, NAME_WIDTH - 1)}…`)

/** The number of cards by status, such as `ready 2, done 5; 7 cards`. */
function countsText({ counts, total }: BoardView): string {
  if (total === 0) return '(empty)'
  const parts = STATUSES.filter((status) => counts[status] > 0).map((status) => `${status} ${counts[status]}`)
  return `${parts.join(', ')}; ${total} ${total === 1 ? 'card' : 'cards'}`
}

export function boardPage(board: BoardView): string {
  const head = [
    `${board.isCurrent ? '● ' : ''}${board.slug}  ${oneLine(board.name)}`,
    ...(board.description === '' ? [] : [`  ${multiLine(board.description).replaceAll('\n', '\n  ')}`]),
    `  ${countsText(board)}`,
    `  created ${localTime(board.createdAt)}`,
    ...(board.archivedAt === null ? [] : [`  archived ${localTime(board.archivedAt)}`]),
  ]
  const settings = Object.entries(board.settings).map(
    ([key, value]) => `  ${settingName(key, Object.keys(board.settings))}=${settingText(key, value)}`,
  )
  return [...head, '', 'Settings', ...settings].join('\n')
}

/**
 * The name of a setting for users. A duration is typed with a unit, so its name has no `Ms`: `stale=30m` sets
 * `staleMs`.
 */
export function settingName(key: string, known: readonly string[]): string {
  const short = key.replace(/Ms$/, '')
  return known.includes(short) ? key : short
}

/** A setting in the form of an argument of `boards set`. */
export function settingText(key: string, value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : oneLine(value.join(','))
  if (typeof value === 'string') return oneLine(value)
  if (typeof value !== 'number' || !key.endsWith('Ms')) return JSON.stringify(value)
  return value === 0 ? '0' : durationText(value)
}
