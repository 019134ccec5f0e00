import { useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { formatBytes } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import css from './history.module.css'
import { historyMessages } from './messages.ts'

/**
 * Shows the snapshots of the card, with the command that restores a snapshot. The page has no button for this, because
 * the server cannot choose a folder of the person.
 */
export function Snapshots({ id }: { readonly id: string }) {
  const t = useMessages(historyMessages)
  const language = useLanguage()
  const { data = [], error } = useQuery({
    queryKey: [...keys.card(id), 'snapshots'],
    queryFn: ({ signal }) => client.snapshots({ task: id }, { signal }),
  })
  if (data.length === 0 && error === null) return null
  return (
    <section className={css.snapshots} aria-label={t('snapshots')}>
      <h3>{t('snapshots')}</h3>
      <p>{error === null ? t('snapshotsText') : t('snapshotsFailed')}</p>
      {data.toReversed().map(({ id: snapshot, takenAt, bytes, files }, at) => (
        <div key={snapshot} className={css.snapshot}>
          <span className={css.facts}>
            {t.rich('taken', {
              time: <RelativeTime at={takenAt} as="relative" />,
              size: `${t('takenFiles', { n: files })} · ${formatBytes(language, bytes)}`,
            })}
          </span>
          <CodeBlock>{`muster restore ${id}${at === 0 ? '' : ` --snapshot ${snapshot}`}`}</CodeBlock>
        </div>
      ))}
    </section>
  )
}
