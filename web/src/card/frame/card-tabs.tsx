import type { ReactNode } from 'react'
import { isRunning } from '../../../../src/core/status.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { CardDetails } from '../card-details.ts'
import { cardMessages } from '../messages.ts'
import css from './card-frame.module.css'
import { CARD_TABS, tabCounts } from './tab-list.ts'
import type { CardTab } from './tab-list.ts'

interface Props {
  readonly card: CardDetails
  readonly current: CardTab
  readonly onChange: (tab: CardTab) => void
  readonly children: ReactNode
}

export function CardTabs({ card, current, onChange, children }: Props) {
  const t = useMessages(cardMessages)
  const counts = tabCounts(card)
  useShortcuts(
    CARD_TABS.map((tab, at) => ({
      keys: String(at + 1),
      name: t('goTo', { tab: t(tab) }),
      group: t('label'),
      onPress: () => onChange(tab),
    })),
  )
  return (
    <Tabs
      label={t('tabs')}
      fills
      current={current}
      onChange={(key) => onChange(CARD_TABS.find((tab) => tab === key) ?? 'overview')}
      tabs={CARD_TABS.map((tab) => ({
        key: tab,
        label: t(tab),
        count: counts[tab],
        mark: tab === 'transcript' && isRunning(card.status) && (
          <span className={css.live} role="img" aria-label={t('live')} />
        ),
      }))}
    >
      {children}
    </Tabs>
  )
}
