import { WifiOff } from 'lucide-react'
import { useLive } from '../api/use-live.ts'
import { formatTime } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { pageMessages } from './messages.ts'
import css from './page-header.module.css'

/** Shows since when the connection is lost. Until it returns, the page may be out of date. */
export function LostBadge() {
  const t = useMessages(pageMessages)
  const language = useLanguage()
  const live = useLive()
  if (live.is !== 'lost') return null
  return (
    <Tooltip text={t('lostMore')}>
      <span className={css.lost} role="status" tabIndex={0}>
        <WifiOff />
        <span className={css.lostText}>{t('lost', { time: formatTime(language, live.since) })}</span>
      </span>
    </Tooltip>
  )
}
