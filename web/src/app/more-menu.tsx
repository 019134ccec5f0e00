/** The menu for what does not fit into the navigation of a narrow window: boards and saved views, and pages on a phone. */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, HeartPulse, Network, Repeat, Settings } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { viewsQuery } from '../api/queries.ts'
import type { BoardSummary } from '../api/queries.ts'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, boardPath, graphPath, settingsPath } from '../routes/paths.ts'
import { viewPath } from '../routes/view-address.ts'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu.tsx'
import { appMessages } from './messages.ts'
import { openCount } from './sidebar-data.ts'
import css from './sidebar.module.css'
import { isPhone } from './window-size.ts'

interface Props {
  readonly board: string | null
  readonly boards: readonly BoardSummary[]
  readonly isHealthy: boolean | null
}

/** The pages that the navigation of a phone has no space for. */
const HIDDEN_ON_PHONES = /^\/(graph|recurring|health|settings)(\/|$)/

export function MoreMenu(props: Props) {
  const t = useMessages(appMessages)
  const [path] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const boards = useBoardEntries(props)
  const views = useViewEntries()
  const pages = usePageEntries(props)
  return (
    <Menu
      align="end"
      entries={[...(isPhone() ? pages : []), ...boards, ...views]}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <button
        type="button"
        className={css.place}
        title={t('more')}
        aria-current={isPhone() && HIDDEN_ON_PHONES.test(path) ? 'page' : undefined}
      >
        <Ellipsis />
        <span className={css.name}>{t('more')}</span>
      </button>
    </Menu>
  )
}

function usePageEntries({ board, isHealthy }: Props): readonly MenuEntry[] {
  const t = useMessages(appMessages)
  const [, navigate] = useLocation()
  const page = (href: string, key: 'graph' | 'recurring' | 'health' | 'settings', icon: MenuIcon): MenuEntry => ({
    key,
    label: t(key),
    icon,
    onChoose: () => navigate(href),
  })
  return [
    ...(board === null ? [] : [page(graphPath(board), 'graph', <Network />)]),
    page(ROUTES.recurring, 'recurring', <Repeat />),
    {
      ...page(ROUTES.health, 'health', <HeartPulse />),
      ...(isHealthy === null ? {} : { end: t(isHealthy ? 'healthy' : 'unhealthy') }),
    },
    page(ROUTES.settings, 'settings', <Settings />),
  ]
}

type MenuIcon = Extract<MenuEntry, { readonly label: unknown }>['icon']

function useBoardEntries({ board, boards }: Props): readonly MenuEntry[] {
  const t = useMessages(appMessages)
  const language = useLanguage()
  const [path, navigate] = useLocation()
  const isAll = path === ROUTES.allBoards
  const open = boards.filter(({ archivedAt }) => archivedAt === null)
  return [
    { key: 'boards', heading: t('boards') },
    ...open.map(({ slug, name, counts }) => ({
      key: `board ${slug}`,
      label: name,
      end: formatNumber(language, openCount(counts)),
      isChecked: !isAll && slug === board,
      onChoose: () => navigate(boardPath(slug)),
    })),
    { key: 'all', label: t('allBoards'), isChecked: isAll, onChoose: () => navigate(ROUTES.allBoards) },
    { key: 'manage', label: t('manageBoards'), onChoose: () => navigate(settingsPath('boards')) },
  ]
}

function useViewEntries(): readonly MenuEntry[] {
  const t = useMessages(appMessages)
  const [, navigate] = useLocation()
  const { data: views = [] } = useQuery(viewsQuery)
  if (views.length === 0) return []
  return [
    { key: 'views', heading: t('views') },
    ...views.map((view) => ({ key: `view ${view.name}`, label: view.name, onChoose: () => navigate(viewPath(view)) })),
  ]
}
