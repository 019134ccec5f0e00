import { FileDiff } from 'lucide-react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { loadLater } from '../../ui/load-later.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { TabProps } from '../card-details.ts'
import { RowsSkeleton } from '../transcript/rows-skeleton.tsx'
import { changesMessages } from './messages.ts'
import css from './no-worktree.module.css'

const Panel = loadLater(
  () => import('./changes-panel.tsx').then((module) => module.ChangesPanel),
  () => <RowsSkeleton />,
)

export function ChangesTab({ card }: TabProps) {
  const t = useMessages(changesMessages)
  if (card.workspace.kind !== 'worktree') return <NoWorktree card={card} />
  if (card.branch === null || card.workspace.base === null)
    return (
      <EmptyState icon={<FileDiff />} title={t('notRun')}>
        {t('notRunText')}
      </EmptyState>
    )
  return <Panel card={card} />
}

/** Shows the files that the agent named, for a card without a worktree, whose changes git cannot compare. */
function NoWorktree({ card }: TabProps) {
  const t = useMessages(changesMessages)
  const verdict = card.runs.findLast((run) => run.verdict !== null)?.verdict
  const artifacts = verdict?.kind === 'complete' ? verdict.artifacts : []
  return (
    <>
      <EmptyState icon={<FileDiff />} title={t('notWorktree')}>
        {t('notWorktreeText')}
      </EmptyState>
      {artifacts.length > 0 && (
        <section className={css.artifacts}>
          <h3>{t('artifacts')}</h3>
          <ul>
            {artifacts.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
