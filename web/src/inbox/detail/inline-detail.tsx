import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { InboxItem } from '../../api/queries.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { detailMessages } from '../detail-messages.ts'
import css from './detail.module.css'
import { DetailSections } from './detail-sections.tsx'

/**
 * The details of the current item in a narrow window, which has no pane. They are below the item's actions, and a
 * person can open them.
 */
export function InlineDetail({ item }: { readonly item: InboxItem }) {
  const t = useMessages(detailMessages)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={css.inline}>
      <Button
        size="small"
        look="ghost"
        className={css.more}
        aria-expanded={isOpen}
        icon={<ChevronDown className={isOpen ? css.open : undefined} />}
        onClick={() => setIsOpen(!isOpen)}
      >
        {t(isOpen ? 'hideAbout' : 'showAbout')}
      </Button>
      {isOpen && <DetailSections item={item} />}
    </div>
  )
}
