import { useState } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import type { CardDetails } from '../card-details.ts'
import type { Comment } from './comment-list.ts'
import css from './comments.module.css'
import { MentionOffers } from './mention-offers.tsx'
import { commentMessages } from './messages.ts'

interface Props {
  readonly card: CardDetails
  readonly comment: Comment
  /** The number of the attempt that wrote the comment. Null means that a person wrote it. */
  readonly attempt: number | null
  /** Whether the URL names this comment. */
  readonly isNamed: boolean
}

/** Comments of this length are folded, so that one comment does not hide the others. */
const LONG = 6_000

export function CommentRow({ card, comment, attempt, isNamed }: Props) {
  const t = useMessages(commentMessages)
  const [isWhole, setIsWhole] = useState(isNamed)
  const { id, author, body, createdAt, answerTo } = comment
  const isLong = body.length > LONG && !isWhole
  return (
    <li id={id} className={classNames(css.comment, isNamed && css.named)}>
      <p className={css.head}>
        <Avatar agent={author} />
        <b className={css.author}>{author}</b>
        {attempt !== null && <span>{t('attempt', { attempt })}</span>}
        <RelativeTime at={createdAt} as="relative" />
      </p>
      {answerTo !== null && (
        <p className={css.quote}>
          {answerTo.question === null ? t('answer') : t('answered', { question: answerTo.question })}
        </p>
      )}
      <Markdown text={isLong ? body.slice(0, LONG) : body} />
      {isLong && (
        <Button size="small" onClick={() => setIsWhole(true)}>
          {t('whole')}
        </Button>
      )}
      <MentionOffers card={card} comment={comment} />
    </li>
  )
}
