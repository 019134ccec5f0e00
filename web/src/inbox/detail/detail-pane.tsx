/** The pane beside the list. It shows what a person needs to decide about the current item. */
import { Copy, SquareArrowOutUpRight } from 'lucide-react'
import { Link } from 'wouter'
import type { InboxItem } from '../../api/queries.ts'
import { statusMessages } from '../../cards/status-messages.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { agentPath, cardPath } from '../../routes/paths.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Pill } from '../../ui/pill.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { hueOf } from '../../ui/status-hue.ts'
import { actionMessages } from '../action-messages.ts'
import { isCardItem, nameOf } from '../card-item.ts'
import type { CardItem } from '../card-item.ts'
import { detailMessages } from '../detail-messages.ts'
import { KIND_LOOKS } from '../kind-look.tsx'
import { kindMessages } from '../messages.ts'
import css from './detail.module.css'
import { DetailSections } from './detail-sections.tsx'

export function DetailPane({ item }: { readonly item: InboxItem }) {
  const t = useMessages(detailMessages)
  return (
    <aside className={css.pane} aria-label={t('about', { name: nameOf(item) })} tabIndex={-1}>
      <div>
        {isCardItem(item) ? <CardLine item={item} /> : <AccountLine item={item} />}
        <h2 className={css.title}>{nameOf(item)}</h2>
      </div>
      <DetailSections item={item} />
    </aside>
  )
}

function CardLine({ item }: { readonly item: CardItem }) {
  const t = useMessages(detailMessages)
  const tAction = useMessages(actionMessages)
  const tStatus = useMessages(statusMessages)
  const { status } = item.task
  const copy = (): void => void copyText(item.id, { done: tAction('copied'), refused: tAction('copyRefused') })
  return (
    <div className={css.line}>
      <Pill hue={hueOf(status)} icon={<StatusIcon status={status} />}>
        {tStatus(status)}
      </Pill>
      <button
        type="button"
        className={css.id}
        title={t('copyId')}
        aria-label={`${t('copyId')}: ${item.id}`}
        onClick={copy}
      >
        <code>{item.id}</code>
        <Copy />
      </button>
      <Link href={cardPath(item.board, item.id)} className={css.openCard}>
        <SquareArrowOutUpRight />
        {tAction('openCard')}
      </Link>
    </div>
  )
}

function AccountLine({ item }: { readonly item: InboxItem }) {
  const t = useMessages(kindMessages)
  const { hue, icon } = KIND_LOOKS.account
  return (
    <div className={css.line}>
      <Pill hue={hue} icon={icon}>
        {t('account')}
      </Pill>
      {item.agents[0] !== undefined && (
        <Link href={agentPath(item.agents[0])} className={css.openCard}>
          <SquareArrowOutUpRight />
          {item.agents[0]}
        </Link>
      )}
    </div>
  )
}
