import { CircleAlert, CircleCheck, ListFilter, Minus, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import { useQuery } from '@tanstack/react-query'
import { boardsQuery } from '../api/queries.ts'
import { useNow } from '../app-state/use-now.ts'
import { eventLine } from '../cards/event-lines.ts'
import type { EventTone } from '../cards/event-lines.ts'
import type { EventPiece } from '../cards/event-piece.ts'
import { formatExact, formatTime } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { boardPath, cardPath } from '../routes/paths.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import css from './activity.module.css'
import { EventResult } from './event-result.tsx'
import type { Filters } from './filters.ts'
import { activityMessages } from './messages.ts'
import type { ActivityEvent } from './queries.ts'

const ICONS = { good: CircleCheck, bad: TriangleAlert, act: CircleAlert, quiet: Minus } as const satisfies Readonly<
  Record<EventTone, unknown>
>

interface Props {
  readonly event: ActivityEvent
  readonly filters: Filters
  readonly onChange: (change: Partial<Filters>) => void
}

export function EventRow({ event, filters, onChange }: Props) {
  const t = useMessages(activityMessages)
  const language = useLanguage()
  const { pieces, note, tone } = eventLine(event, { language, now: useNow() })
  const { createdAt, taskId, board, result } = event
  const Icon = ICONS[tone]
  return (
    <li className={css.event}>
      <time dateTime={new Date(createdAt).toISOString()} title={formatExact(language, createdAt)} className={css.time}>
        {formatTime(language, createdAt)}
      </time>
      <Icon className={classNames(css.icon, css[tone])} />
      <div className={css.what}>
        <p className={css.sentence}>
          {pieces.map((piece, at) => (
            // The index can be the key, because the pieces of a sentence never change their order.
            <Piece key={at} piece={piece} event={event} />
          ))}
        </p>
        {note !== null && <p className={css.note}>{note}</p>}
        {result !== null && <EventResult result={result} />}
      </div>
      {filters.board === null && <BoardName board={board} />}
      {taskId !== null && filters.card === null && (
        <IconButton
          icon={<ListFilter />}
          size="small"
          label={t('onlyCard')}
          className={css.only}
          onClick={() => onChange({ card: taskId, group: null, period: null })}
        />
      )}
    </li>
  )
}

interface PieceProps {
  readonly piece: EventPiece
  readonly event: ActivityEvent
}

function Piece({ piece, event: { board, taskId, title } }: PieceProps) {
  if (typeof piece === 'string') return piece
  if (piece.is === 'name') return <b>{piece.text}</b>
  return (
    <Link href={cardPath(board, piece.id)} className={css.card}>
      {piece.id === taskId ? (title ?? piece.id) : piece.id}
    </Link>
  )
}

/** Shows the board of an event. This is needed only if there are several boards. */
function BoardName({ board }: { readonly board: string }) {
  const { data: boards = [] } = useQuery(boardsQuery)
  if (boards.length < 2) return null
  return (
    <Link href={boardPath(board)} className={css.board}>
      {boards.find(({ slug }) => slug === board)?.name ?? board}
    </Link>
  )
}
