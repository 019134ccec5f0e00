/** Shows why the card waits: each reason in words, with a button for each remedy. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleHelp, Clock, Eye, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { isInReview, isRunning, isSatisfied } from '../../../../src/core/status.ts'
import type { ReasonView } from '../../../../src/client/index.ts'
import { useEvents } from '../../api/live-events.ts'
import { useNow } from '../../app-state/use-now.ts'
import { actorLabel } from '../../cards/event-lines.ts'
import { reasonLine, toneOf } from '../../cards/reason-line.ts'
import type { Tone } from '../../cards/reason-line.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { Skeleton } from '../../ui/states.tsx'
import type { TabProps } from '../card-details.ts'
import { plainText } from '../../ui/plain-text.ts'
import { AnswerBox } from './answer-box.tsx'
import { CommandsBox } from './commands-box.tsx'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { whyKey, whyQuery } from './queries.ts'
import { reasonDetail } from './reason-detail.ts'
import { RemedyButton } from './remedy-button.tsx'
import type { EditField } from './remedy-button.tsx'
import { ReviewBox } from './review-box.tsx'
import { tellingLines } from './telling-lines.ts'

interface Props extends TabProps {
  readonly onEdit: EditField
}

/** Reasons that other parts of the page already show. */
const SILENT: ReadonlySet<ReasonView['code']> = new Set(['running', 'finished', 'deleted'])

export function Waits({ card, onEdit }: Props) {
  const t = useMessages(overviewMessages)
  const cache = useQueryClient()
  const isUnfinished = !isSatisfied(card.status) && card.deletedAt === null
  const { data, error, refetch } = useQuery({ ...whyQuery(card.id), enabled: isUnfinished })
  // A pause or a limit of the machine affects all cards, so no event of this card reports it.
  useEvents((event) => {
    if (event.taskId === null) void cache.invalidateQueries({ queryKey: whyKey(card.id) })
  })
  if (!isUnfinished) return null
  if (data === undefined && error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  // Until the reasons are loaded, a placeholder keeps their space, so that the texts below do not move.
  if (data === undefined && !isRunning(card.status))
    return (
      <div className={css.waits} aria-busy="true">
        <div className={css.reason}>
          <Skeleton width={40} />
          <Skeleton width={60} isSmall />
        </div>
      </div>
    )
  const reasons = (data?.reasons ?? []).filter(({ code }) => !SILENT.has(code))
  if (reasons.length === 0) return null
  return (
    <section className={css.waits} aria-label={t('waits')}>
      {reasons.map((reason, at) => (
        // The key contains the index, because a card may have the same reason several times.
        <Reason key={`${reason.code} ${at}`} card={card} reason={reason} isFirst={at === 0} onEdit={onEdit} />
      ))}
    </section>
  )
}

function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useMessages(uiMessages)
  const language = useLanguage()
  return (
    <div className={css.reason} role="alert">
      <p className={css.fault}>{describeError(error, language)}</p>
      <div className={css.remedies}>
        <Button size="small" onClick={onRetry}>
          {t('retry')}
        </Button>
      </div>
    </div>
  )
}

interface ReasonProps extends Props {
  readonly reason: ReasonView
  readonly isFirst: boolean
}

const ICONS: Readonly<Record<Tone, ReactNode>> = { quiet: <Clock />, act: <CircleHelp />, bad: <TriangleAlert /> }

function Reason({ card, reason, isFirst, onEdit }: ReasonProps) {
  const language = useLanguage()
  const now = useNow()
  const tone = toneOf(reason)
  const isReview = isInReview(card.status) && reason.gate === 'reviewer'
  return (
    <div className={classNames(css.reason, css[tone], isFirst && css.first, isReview && css.review)}>
      <div className={css.reasonHead}>
        {isReview ? <Eye /> : ICONS[tone]}
        <Sentence reason={reason} line={reasonLine(reason, { language, now })} />
      </div>
      <Detail card={card} reason={reason} />
      <Remedies card={card} reason={reason} isFirst={isFirst} onEdit={onEdit} />
    </div>
  )
}

/** Shows the sentence of a reason. A question is a text in Markdown. */
function Sentence({ reason: { code, params }, line }: { readonly reason: ReasonView; readonly line: string }) {
  const t = useMessages(overviewMessages)
  const { reason, by } = params
  const asker = typeof by === 'string' && <small>{t('askedBy', { name: actorLabel(by) })}</small>
  if (code === 'blocked' && typeof reason === 'string')
    return (
      <div className={css.question}>
        <Markdown text={reason} />
        {asker}
      </div>
    )
  return (
    <p className={css.sentence}>
      <b>{line}</b>
    </p>
  )
}

function Detail({ card, reason }: Pick<ReasonProps, 'card' | 'reason'>) {
  const { text, cards, place } = reasonDetail(reason)
  if (text === null && cards.length === 0 && place === null) return null
  return (
    <div className={css.detail}>
      {text !== null && <p className={css.quoted}>{tellingLines(plainText(text)).lines.join('\n')}</p>}
      {place !== null && <code>{place}</code>}
      {cards.length > 0 && (
        <ul className={css.links}>
          {cards.map(({ id, title }) => (
            <li key={id}>
              <Link href={cardPath(card.board, id)}>{title ?? id}</Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Shows the buttons of a reason. Questions, reviews and commands have boxes of their own instead. */
function Remedies({ card, reason, isFirst, onEdit }: ReasonProps) {
  const has = (operation: string): boolean => reason.remedies.some((remedy) => remedy.operation === operation)
  if (has('answer')) return <AnswerBox card={card} />
  if (has('approve-commands')) return <CommandsBox card={card} />
  const rest = reason.remedies.filter(({ operation }) => operation !== 'approve' && operation !== 'request-changes')
  return (
    <>
      {isFirst && isInReview(card.status) && reason.gate === 'reviewer' && <ReviewBox card={card} />}
      {rest.length > 0 && (
        <div className={css.remedies}>
          {rest.map((remedy) => (
            <RemedyButton key={JSON.stringify(remedy)} card={card} remedy={remedy} onEdit={onEdit} />
          ))}
        </div>
      )}
    </>
  )
}
