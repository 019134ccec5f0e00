import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../i18n/use-messages.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { ErrorState, Skeleton } from '../ui/states.tsx'
import css from './detail.module.css'
import { detailMessages } from './detail-messages.ts'
import { instructionQuery } from './queries.ts'

export function Instructions({ name }: { readonly name: string }) {
  const t = useMessages(detailMessages)
  const { data, error, refetch } = useQuery(instructionQuery(name))
  return (
    <section className={css.section}>
      <h3 className={css.heading}>{t('instructions')}</h3>
      {data !== undefined ? (
        data.trim() === '' ? (
          <p>{t('noInstructions')}</p>
        ) : (
          <div className={css.instructions}>
            <Markdown text={data} />
          </div>
        )
      ) : error === null ? (
        <Skeleton width={80} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </section>
  )
}
