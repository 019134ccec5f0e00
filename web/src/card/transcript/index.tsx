import { useMessages } from '../../i18n/use-messages.tsx'
import { useQueryField } from '../../routes/use-query-field.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { TabProps } from '../card-details.ts'
import { cardMessages } from '../messages.ts'
import { chosenRun } from './row-look.ts'
import { RowsSkeleton } from './rows-skeleton.tsx'

const Panel = loadLater(
  () => import('./transcript-panel.tsx').then((module) => module.TranscriptPanel),
  () => <RowsSkeleton />,
)

export function TranscriptTab({ card }: TabProps) {
  const t = useMessages(cardMessages)
  const [named] = useQueryField('run')
  const run = chosenRun(card.runs, named)
  if (run === undefined) return <EmptyState title={t('noAttempt')}>{t('noAttemptText')}</EmptyState>
  return <Panel card={card} run={run} />
}
