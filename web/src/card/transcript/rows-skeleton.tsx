import { useMessages } from '../../i18n/use-messages.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { cardMessages } from '../messages.ts'
import css from './rows-skeleton.module.css'

const WIDTHS = [62, 48, 70, 38, 54, 66, 44]

export function RowsSkeleton() {
  const t = useMessages(cardMessages)
  return (
    <div className={css.bones} role="region" aria-busy="true" aria-label={t('loading')}>
      {WIDTHS.map((width) => (
        <Skeleton key={width} width={width} isSmall />
      ))}
    </div>
  )
}
