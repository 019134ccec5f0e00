import { Activity, Bot, HeartPulse, Inbox, Network, Repeat, Settings, SquareKanban } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, boardPath, graphPath } from '../routes/paths.ts'
import { Count } from '../ui/pill.tsx'
import { BoardMenu } from './board-menu.tsx'
import { Logo } from './logo.tsx'
import { appMessages } from './messages.ts'
import { MoreMenu } from './more-menu.tsx'
import { SavedViews } from './saved-views.tsx'
import { useSidebarData } from './sidebar-data.ts'
import { SidebarFoot } from './sidebar-foot.tsx'
import css from './sidebar.module.css'

interface PlaceProps {
  readonly href: string
  readonly icon: ReactNode
  readonly name: string
  readonly count?: ReactNode
  /** Whether the URL belongs to this entry of the sidebar. */
  readonly isCurrent: boolean
}

const Place = ({ href, icon, name, count, isCurrent }: PlaceProps) => (
  <Link href={href} className={css.place} aria-current={isCurrent ? 'page' : undefined} title={name}>
    {icon}
    <span className={css.name}>{name}</span>
    {count !== undefined && <span className={css.count}>{count}</span>}
  </Link>
)

function Health({ isHealthy }: { readonly isHealthy: boolean }) {
  const t = useMessages(appMessages)
  return <span className={isHealthy ? css.ok : css.bad}>{t(isHealthy ? 'healthy' : 'unhealthy')}</span>
}

export function Sidebar({ board }: { readonly board: string | null }) {
  const t = useMessages(appMessages)
  const [path] = useLocation()
  const data = useSidebarData(board)
  const { inbox, openCards } = data
  const isIn = (...starts: readonly string[]): boolean =>
    starts.some((start) => path === start || path.startsWith(`${start}/`))
  return (
    <nav className={css.side} aria-label={t('navigation')}>
      <div className={css.brand}>
        <Logo />
        <b className={css.word}>Muster</b>
        <BoardMenu board={board} boards={data.boards} />
      </div>
      <Place
        href={ROUTES.inbox}
        icon={<Inbox />}
        name={t('inbox')}
        isCurrent={isIn(ROUTES.inbox)}
        count={inbox !== null && inbox.count > 0 ? <Count value={inbox.count} isCut={inbox.isCut} isHot /> : undefined}
      />
      <Place
        href={board === null ? ROUTES.allBoards : boardPath(board)}
        icon={<SquareKanban />}
        name={t('board')}
        isCurrent={isIn('/b', '/plan', ROUTES.allBoards)}
        count={openCards === null || openCards === 0 ? undefined : <Count value={openCards} />}
      />
      {board !== null && (
        <span className={css.wideOnly}>
          <Place href={graphPath(board)} icon={<Network />} name={t('graph')} isCurrent={isIn('/graph')} />
        </span>
      )}
      <span className={css.wideOnly}>
        <Place href={ROUTES.recurring} icon={<Repeat />} name={t('recurring')} isCurrent={isIn(ROUTES.recurring)} />
      </span>
      <Place href={ROUTES.agents} icon={<Bot />} name={t('agents')} isCurrent={isIn(ROUTES.agents)} />
      <Place href={ROUTES.activity} icon={<Activity />} name={t('activity')} isCurrent={isIn(ROUTES.activity)} />
      <span className={css.wideOnly}>
        <Place
          href={ROUTES.health}
          icon={<HeartPulse />}
          name={t('health')}
          isCurrent={isIn(ROUTES.health)}
          count={data.isHealthy === null ? undefined : <Health isHealthy={data.isHealthy} />}
        />
      </span>
      <span className={css.wideOnly}>
        <Place href={ROUTES.settings} icon={<Settings />} name={t('settings')} isCurrent={isIn(ROUTES.settings)} />
      </span>
      <span className={css.narrowOnly}>
        <MoreMenu board={board} boards={data.boards} isHealthy={data.isHealthy} />
      </span>
      <SavedViews />
      <SidebarFoot running={data.running} cap={data.cap} costToday={data.costToday} />
    </nav>
  )
}
