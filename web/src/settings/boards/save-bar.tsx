import { TriangleAlert } from 'lucide-react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import settings from '../settings.module.css'
import css from './boards.module.css'
import { boardsMessages } from './messages.ts'

interface Props {
  readonly changes: number
  readonly faults: number
  readonly isBusy: boolean
  /** A refusal that is not about one field, or null. */
  readonly error: string | null
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** The bar with the buttons Save and Discard. It stays visible while changes are not saved. */
export function SaveBar({ changes, faults, isBusy, error, onSave, onDiscard }: Props) {
  const t = useMessages(boardsMessages)
  if (changes === 0) return null
  return (
    <div className={css.bar} role="region" aria-label={t('save')}>
      <span role="status">{faults > 0 ? t('faulty', { n: faults }) : t('unsaved', { n: changes })}</span>
      {error !== null && (
        <span className={settings.error} role="alert">
          <TriangleAlert />
          {error}
        </span>
      )}
      <span className={css.barActions}>
        <Button look="ghost" onClick={onDiscard}>
          {t('discard')}
        </Button>
        <Button look="primary" writes isBusy={isBusy} onClick={onSave}>
          {t('save')}
        </Button>
      </span>
    </div>
  )
}
