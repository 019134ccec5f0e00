/** Shows the top of the card: status, id, title and current state, and buttons that open neighbouring cards. */
import { ArrowLeft, ChevronDown, ChevronUp, Copy, Ellipsis, Maximize2, Minimize2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { statusMessages } from '../../cards/status-messages.ts'
import { formatCompact, formatSpan } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { hueOf } from '../../ui/status-hue.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { Clock, Money, RelativeTime } from '../../ui/time.tsx'
import type { CardDetails } from '../card-details.ts'
import { cardMessages } from '../messages.ts'
import { cardFacts } from './card-facts.ts'
import css from './card-header.module.css'
import { copyText } from '../../ui/copy-text.ts'

export interface HeaderActions {
  readonly close: () => void
  /** Opens the previous card. Null means that there is no such card. */
  readonly showPrevious: (() => void) | null
  readonly showNext: (() => void) | null
  readonly isPage: boolean
  readonly togglePage: () => void
}

interface Props {
  readonly id: string
  /** The card. Undefined until it is loaded. */
  readonly card: CardDetails | undefined
  readonly actions: HeaderActions
  readonly menu: readonly MenuEntry[]
  readonly title: ReactNode
}

export function CardHeader({ id, card, actions, menu, title }: Props) {
  const t = useMessages(cardMessages)
  const tStatus = useMessages(statusMessages)
  const copyId = (): void => void copyText(id, { done: t('copiedId'), refused: t('copyRefused') })
  return (
    <div className={css.head}>
      <div className={css.row}>
        <IconButton className={css.back} size="small" icon={<ArrowLeft />} label={t('back')} onClick={actions.close} />
        {card !== undefined && (
          <Pill hue={hueOf(card.status)} icon={<StatusIcon status={card.status} />}>
            {tStatus(card.status)}
          </Pill>
        )}
        <button
          type="button"
          className={css.id}
          title={t('copyId')}
          aria-label={`${t('copyId')}: ${id}`}
          onClick={copyId}
        >
          <code>{id}</code>
          <Copy />
        </button>
        <span className={css.push} />
        <WaysOut actions={actions} />
        <Menu entries={menu} align="end">
          <IconButton size="small" icon={<Ellipsis />} label={t('more')} />
        </Menu>
        <IconButton
          className={css.wide}
          size="small"
          icon={<X />}
          label={t('close')}
          tip={<Tip text={t('close')} keys="escape" />}
          onClick={actions.close}
        />
      </div>
      {card === undefined ? (
        <h2 className={css.title}>
          <Skeleton width={60} />
        </h2>
      ) : (
        title
      )}
      <FactsLine card={card} />
    </div>
  )
}

const Tip = ({ text, keys }: { readonly text: string; readonly keys: string }) => (
  <>
    {text} <Kbd keys={keys} />
  </>
)

function WaysOut({ actions: { showPrevious, showNext, isPage, togglePage } }: { readonly actions: HeaderActions }) {
  const t = useMessages(cardMessages)
  return (
    <>
      <IconButton
        className={css.wide}
        size="small"
        icon={<ChevronUp />}
        label={t('previous')}
        tip={<Tip text={t('previous')} keys="k" />}
        disabledReason={showPrevious === null ? t('noPrevious') : null}
        onClick={() => showPrevious?.()}
      />
      <IconButton
        className={css.wide}
        size="small"
        icon={<ChevronDown />}
        label={t('next')}
        tip={<Tip text={t('next')} keys="j" />}
        disabledReason={showNext === null ? t('noNext') : null}
        onClick={() => showNext?.()}
      />
      <IconButton
        className={css.beside}
        size="small"
        icon={isPage ? <Minimize2 /> : <Maximize2 />}
        label={isPage ? t('openBeside') : t('openPage')}
        onClick={togglePage}
      />
    </>
  )
}

function FactsLine({ card }: { readonly card: CardDetails | undefined }) {
  const t = useMessages(cardMessages)
  const language = useLanguage()
  if (card === undefined)
    return (
      <div className={css.facts}>
        <Skeleton width={40} isSmall />
      </div>
    )
  const { agent, moment, attempt, durationMs, tokens, costUsd } = cardFacts(card)
  return (
    <p className={css.facts}>
      <span className={css.agent}>
        {agent !== null && <Avatar agent={agent} />}
        <span className={css.agentName}>{agent ?? t('unassigned')}</span>
      </span>
      <span>
        {moment.is === 'running'
          ? t.rich('running', { clock: <Clock since={moment.at} /> })
          : t.rich(moment.is === 'deleted' ? 'wasDeleted' : moment.is, {
              time: <RelativeTime at={moment.at} as="relative" />,
            })}
        {attempt !== null && ` · ${t('attempt', { attempt })}`}
        {durationMs !== null && ` · ${formatSpan(language, durationMs)}`}
        {tokens !== null && (
          <span className={css.wide}> · {t('tokens', { tokens: formatCompact(language, tokens) })}</span>
        )}
        {costUsd !== null && (
          <>
            {' · '}
            <Money usd={costUsd} />
          </>
        )}
      </span>
    </p>
  )
}
