/** The screen of `watch`: fits the rows and columns of the terminal. */
import type { BoardEvent } from '../../core/event.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import type { Overview } from '../../operations/boards/overview.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { clockOf, eventLine } from './event-line.ts'
import { paintsFor } from './paint.ts'
import { cutTo, fit } from './width.ts'
import { ICONS, span } from './format-values.ts'

export type TitledEvent = BoardEvent & { readonly title: string | null }

export interface BoardPicture extends Overview {
  readonly board: string
  /** Oldest first. */
  readonly events: readonly TitledEvent[]
}

export function drawBoard(picture: BoardPicture, { columns, rows, colors }: Terminal): readonly string[] {
  const paints = paintsFor(colors)
  const head = [
    paints.strong(cutTo(`${oneLine(picture.board)}  ${clockOf(picture.now)}  Ctrl-C to quit`, columns)),
    cutTo(countsLine(picture), columns),
    '',
  ]
  // Running cards take at most half of the rows; events get the rest.
  const room = Math.max(0, rows - head.length - 3)
  const shown = picture.running.slice(0, Math.max(1, Math.ceil(room / 2)))
  const left = picture.running.length - shown.length
  const running = [
    ...shown.map((each) => paints.status('running', cutTo(runningLine(each, picture.now), columns))),
    ...(left > 0 ? [cutTo(`  and ${left} more`, columns)] : []),
    ...(picture.running.length === 0 ? [cutTo('  no cards', columns)] : []),
  ]
  const above = [
    ...head,
    paints.faint(cutTo('Running', columns)),
    ...running,
    '',
    paints.faint(cutTo('Latest', columns)),
  ]
  const rest = Math.max(0, rows - above.length)
  const newest = picture.events.toReversed().slice(0, rest)
  const below = newest.map((event) => cutTo(`  ${eventLine(event, event)}`, columns))
  return [...above, ...below].slice(0, rows)
}

const countsLine = ({ counts }: BoardPicture): string =>
  STATUSES.filter((status) => counts[status] > 0 || status === 'ready' || status === 'running')
    .map((status) => `${ICONS[status]} ${status} ${counts[status]}`)
    .join('   ')

function runningLine({ task, run, lastOutput }: BoardPicture['running'][number], now: number): string {
  const worker = fit(oneLine(run.agent ?? run.claimedBy), 12)
  const note = lastOutput === null ? '' : `  – ${oneLine(lastOutput)}`
  return `  ${task.id}  ${worker}  #${run.attempt}  ${span(now - run.startedAt).padStart(8)}  ${oneLine(task.title)}${note}`
}
