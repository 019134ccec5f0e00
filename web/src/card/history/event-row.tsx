import { Link } from 'wouter'
import { useNow } from '../../app-state/use-now.ts'
import { eventLine } from '../../cards/event-lines.ts'
import { formatExact, formatTime } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { classNames } from '../../ui/class-names.ts'
import type { CardDetails } from '../card-details.ts'
import css from './history.module.css'
import { historyMessages } from './messages.ts'

interface Props {
  readonly event: CardDetails['events'][number]
  readonly agentOf: (run: string) => string | null
}

export function EventRow({ event, agentOf }: Props) {
  const t = useMessages(historyMessages)
  const language = useLanguage()
  const now = useNow()
  const { pieces, note, tone } = eventLine(event, { language, now, ownCard: t('thisCard'), agentOf })
  return (
    <li className={css.row}>
      <span className={classNames(css.dot, tone !== 'quiet' && css[tone])} aria-hidden="true" />
      <span className={css.text}>
        {pieces.map((piece, at) => {
          if (typeof piece === 'string') return piece
          // The index can be the key, because the pieces of a sentence never change their order.
          if (piece.is === 'name') return <b key={at}>{piece.text}</b>
          return (
            <Link key={at} href={cardPath(event.board, piece.id)} className={css.link}>
              {piece.id}
            </Link>
          )
        })}
      </span>
      <time
        className={css.time}
        dateTime={new Date(event.createdAt).toISOString()}
        title={formatExact(language, event.createdAt)}
      >
        {formatTime(language, event.createdAt)}
      </time>
      {note !== null && (
        <span className={css.note} title={note}>
          {note}
        </span>
      )}
    </li>
  )
}
