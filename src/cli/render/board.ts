/** The text of the `boards` commands. */
import { STATUSES } from '../../core/vocabulary.ts'
import type { BoardView } from '../../operations/boards/views.ts'
import { block, oneLine } from '../escape.ts'
import { localTime } from './format-values.ts'

const NAME_WIDTH = 28

export function boardList(boards: readonly BoardView[]): string {
  const wide = Math.max(...boards.map(({ slug }) => slug.length), 0)
  return boards.map((board) => boardLine(board, wide)).join('\n')
}

function boardLine(board: BoardView, wide: number): string {
  const name = `${clipped(oneLine(board.name))}${board.archivedAt === null ? '' : ' [archived]'}`
  return `${board.isCurrent ? '●' : ' '} ${board.slug.padEnd(wide)}  ${name.padEnd(NAME_WIDTH)}  ${countsOf(board)}`
}

const clipped = (name: string): string => (name.length <= NAME_WIDTH ? name : `${name.slice(0, NAME_WIDTH - 1)}…`)

/** `ready 2, done 5; 7 cards` */
function countsOf({ counts, total }: BoardView): string {
  if (total === 0) return '(empty)'
  const parts = STATUSES.filter((status) => counts[status] > 0).map((status) => `${status} ${counts[status]}`)
  return `${parts.join(', ')}; ${total} ${total === 1 ? 'card' : 'cards'}`
}

export function boardPage(board: BoardView): string {
  const head = [
    `${board.isCurrent ? '● ' : ''}${board.slug}  ${oneLine(board.name)}`,
    ...(board.description === '' ? [] : [`  ${block(board.description).replaceAll('\n', '\n  ')}`]),
    `  ${countsOf(board)}`,
    `  created ${localTime(board.createdAt)}`,
    ...(board.archivedAt === null ? [] : [`  archived ${localTime(board.archivedAt)}`]),
  ]
  const settings = Object.entries(board.settings).map(([key, value]) => `  ${key}=${settingText(key, value)}`)
  return [...head, '', 'Settings', ...settings].join('\n')
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** In the form that `boards set` reads. */
export function settingText(key: string, value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : oneLine(value.join(','))
  if (typeof value === 'string') return oneLine(value)
  if (typeof value !== 'number' || !key.endsWith('Ms')) return JSON.stringify(value)
  const unit = UNITS.find(([, ms]) => value > 0 && value % ms === 0)
  return unit === undefined ? (value === 0 ? '0' : `${value / 1_000}s`) : `${value / unit[1]}${unit[0]}`
}
