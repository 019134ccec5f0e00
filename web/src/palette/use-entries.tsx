/** Builds all entries of the palette except search results. */
import { useQueries, useQuery } from '@tanstack/react-query'
import {
  Activity,
  Bookmark,
  Bot,
  HeartPulse,
  Inbox,
  LayoutGrid,
  Network,
  Plus,
  Repeat,
  Settings,
  SquareKanban,
  Zap,
} from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { agentsQuery, boardsQuery, cardQuery, viewsQuery } from '../api/queries.ts'
import { pageActionsNow } from '../app-state/page-actions.ts'
import { useValue } from '../app-state/use-value.ts'
import { statusMessages } from '../cards/status-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, agentPath, boardPath, cardPath, graphPath, settingsPath } from '../routes/paths.ts'
import { useCurrentBoard } from '../routes/use-current-board.ts'
import { recentCards } from '../routes/recent-cards.ts'
import { viewPath } from '../routes/view-address.ts'
import { PAGE_LAYER, shortcuts } from '../shortcuts/registry.ts'
import { groupShortcuts } from '../shortcuts/group-shortcuts.ts'
import { Avatar } from '../ui/avatar.tsx'
import { StatusIcon } from '../ui/status-icon.tsx'
import type { Entry } from './entries.ts'
import { paletteMessages } from './messages.ts'
import type { FoundCard } from './search.ts'

/** Matches shortcuts that the palette offers elsewhere, or that make no sense in the palette. */
const NOT_ACTIONS = /^(g .|mod\+k|\/|escape|enter|arrow\w+|shift\+arrow\w+|home|end|[jk])$/

/** The pages of the settings that the palette offers. */
const SETTINGS = ['boards', 'tokens', 'appearance', 'notifications', 'shortcuts', 'machine'] as const

type Navigate = (path: string) => void

export function useEntries(): readonly Entry[] {
  const [, navigate] = useLocation()
  return [...useChosen(), ...useActions(), ...useRecent(navigate), ...usePlaces(navigate), ...useNamed(navigate)]
}

/** Returns the page's actions for the cards that were focused or selected when the palette opened. */
function useChosen(): readonly Entry[] {
  const [chosen] = useState(pageActionsNow)
  return (chosen?.actions ?? []).map(({ key, label, words, icon, onChoose }): Entry => ({
    value: `chosen ${key}`,
    group: 'chosen',
    label,
    ...(words !== undefined && { words }),
    note: chosen?.about ?? '',
    icon,
    onChoose,
  }))
}

/** Returns the shortcuts of the page as entries. A shortcut is registered only while it can be used. */
function useActions(): readonly Entry[] {
  const known = useValue(shortcuts).filter(({ layer, keys }) => layer === PAGE_LAYER && !NOT_ACTIONS.test(keys))
  return groupShortcuts(known).flatMap(({ name: group, shortcuts: list }) =>
    list.map(({ keys, name, onPress }): Entry => ({
      value: `action ${keys}`,
      group: 'actions',
      label: name,
      words: group,
      keys,
      icon: <Zap />,
      onChoose: onPress,
    })),
  )
}

export function useCardEntry(navigate: Navigate): (card: FoundCard, group: 'cards' | 'recent') => Entry {
  const tStatus = useMessages(statusMessages)
  return ({ board, id, title, status }, group) => ({
    value: `${group} ${id}`,
    group,
    label: title,
    words: id,
    note: board,
    icon: <StatusIcon status={status} label={tStatus(status)} />,
    onChoose: () => navigate(cardPath(board, id)),
  })
}

function useRecent(navigate: Navigate): readonly Entry[] {
  const entry = useCardEntry(navigate)
  const [recent] = useState(recentCards)
  const found = useQueries({ queries: recent.map(({ id }) => ({ ...cardQuery(id), retry: false })) })
  return found.flatMap(({ data }) => (data === undefined ? [] : [entry(data, 'recent')]))
}

function usePlaces(navigate: Navigate): readonly Entry[] {
  const t = useMessages(paletteMessages)
  const board = useCurrentBoard()
  const place = (path: string, label: string, icon: Entry['icon'], keys?: string): Entry => ({
    value: `place ${path}`,
    group: 'goTo',
    label,
    icon,
    ...(keys !== undefined && { keys }),
    onChoose: () => navigate(path),
  })
  return [
    place(ROUTES.inbox, t('inbox'), <Inbox />, 'g i'),
    place(ROUTES.allBoards, t('allBoards'), <LayoutGrid />),
    ...(board === null ? [] : [place(graphPath(board), t('graph'), <Network />, 'g g')]),
    place(ROUTES.recurring, t('recurring'), <Repeat />, 'g r'),
    place(ROUTES.agents, t('agentsPage'), <Bot />, 'g a'),
    place(ROUTES.activity, t('activity'), <Activity />, 'g v'),
    place(ROUTES.health, t('health'), <HeartPulse />),
    place(ROUTES.settings, t('settings'), <Settings />, 'g s'),
    ...SETTINGS.map((part) => place(settingsPath(part), `${t('settings')}: ${t(`setting_${part}`)}`, <Settings />)),
  ]
}

function useNamed(navigate: Navigate): readonly Entry[] {
  const t = useMessages(paletteMessages)
  const { data: boards = [] } = useQuery(boardsQuery)
  const { data: agents = [] } = useQuery(agentsQuery)
  const { data: views = [] } = useQuery(viewsQuery)
  const named = (group: 'views' | 'boards' | 'agents', name: string, path: string, more: Partial<Entry>): Entry => ({
    value: `${group} ${path} ${name}`,
    group,
    label: name,
    words: t(group),
    icon: null,
    onChoose: () => navigate(path),
    ...more,
  })
  return [
    ...views.map((view) =>
      named('views', view.name, viewPath(view), { note: view.board ?? t('allBoards'), icon: <Bookmark /> }),
    ),
    ...boards
      .filter(({ archivedAt }) => archivedAt === null)
      .map(({ slug, name }) =>
        named('boards', name, boardPath(slug), { words: `${slug} ${t('boards')}`, icon: <SquareKanban /> }),
      ),
    ...agents.map(({ name }) => named('agents', name, agentPath(name), { icon: <Avatar agent={name} /> })),
  ]
}

/** The entry that creates a card with the typed title. */
export function createEntry(label: string, onChoose: () => void): Entry {
  return { value: 'create', group: 'create', label, icon: <Plus />, onChoose }
}
