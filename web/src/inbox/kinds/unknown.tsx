import { useNow } from '../../app-state/use-now.ts'
import { reasonLine } from '../../cards/reason-line.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath, ROUTES } from '../../routes/paths.ts'
import type { InboxItem } from '../../api/queries.ts'
import { actionMessages } from '../action-messages.ts'
import { ActionLink } from '../action-link.tsx'
import { isCardItem } from '../card-item.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'

/** Shows an item whose kind only a newer server knows, with the server's texts and a link to the card. */
export function UnknownItem({ item }: { readonly item: InboxItem }) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const now = useNow()
  const words = item.question ?? (item.reason === null ? null : reasonLine(item.reason, { language, now }))
  return (
    <>
      <ItemHeading item={item} />
      {words !== null && <p className={css.context}>{words}</p>}
      <div className={css.actions}>
        <span className={css.proof}>{t('unknownText')}</span>
        <span className={css.push}>
          <ActionLink href={isCardItem(item) ? cardPath(item.board, item.id) : ROUTES.agents}>
            {t('openCard')}
          </ActionLink>
        </span>
      </div>
    </>
  )
}
