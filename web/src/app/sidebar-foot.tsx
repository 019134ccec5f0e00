import { WifiOff } from 'lucide-react'
import { useLive } from '../api/use-live.ts'
import { formatMoney, formatTime } from '../i18n/format.ts'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { classNames } from '../ui/class-names.ts'
import { appMessages } from './messages.ts'
import css from './sidebar.module.css'

interface Props {
  readonly running: number | null
  readonly cap: number | null
  readonly costToday: number | null
}

/** The maximum number of slots that fit side by side. */
const MOST_SLOTS = 12

export function SidebarFoot({ running, cap, costToday }: Props) {
  const t = useMessages(appMessages)
  const language = useLanguage()
  const live = useLive()
  const isLost = live.is === 'lost'
  const used = running ?? 0
  return (
    <div className={classNames(css.foot, isLost && css.lost)}>
      <div className={css.figure}>
        <span>{t('running')}</span>
        <span className={css.value}>
          {running === null ? '' : cap === null ? formatNumber(language, used) : t('runningOf', { running: used, cap })}
        </span>
      </div>
      <Slots used={used} cap={cap} />
      <div className={css.figure} role="status">
        {isLost ? <WifiOff /> : <span className={classNames(css.dot, live.is === 'live' && css.on)} />}
        <span>
          {live.is === 'lost'
            ? t('lostShort', { time: formatTime(language, live.since) })
            : t(live.is === 'live' ? 'live' : 'connecting')}
        </span>
        {!isLost && costToday !== null && (
          <span className={css.value}>{t('costToday', { cost: formatMoney(language, costToday) })}</span>
        )}
      </div>
    </div>
  )
}

/**
 * Shows one bar for each slot, if this machine limits the number of running cards. The number beside the bars has the
 * same information.
 */
function Slots({ used, cap }: { readonly used: number; readonly cap: number | null }) {
  if (cap === null || cap > MOST_SLOTS) return null
  return (
    <div className={css.slots} aria-hidden="true">
      {Array.from({ length: cap }, (_, at) => (
        <span key={at} className={at < used ? css.used : undefined} />
      ))}
    </div>
  )
}
