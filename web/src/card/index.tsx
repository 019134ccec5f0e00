/** Shows the open card: a column beside the board, or the whole page in a narrow window. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { cardQuery } from '../api/queries.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { boardPath, cardPath } from '../routes/paths.ts'
import { useQueryField } from '../routes/use-query-field.ts'
import { useQueryFields } from '../routes/use-query-fields.ts'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { Drawer } from '../ui/drawer.tsx'
import type { MenuEntry } from '../ui/menu.tsx'
import { CardFooter } from './actions/card-footer.tsx'
import { CardActionsProvider } from './actions/use-card-actions.tsx'
import { AttemptsTab } from './attempts/index.tsx'
import type { CardDetails } from './card-details.ts'
import { ChangesTab } from './changes/index.tsx'
import { CommentsTab, NEW_COMMENT } from './comments/index.tsx'
import { UploadsProvider } from './files/uploads.tsx'
import { searchAfterClose, searchForOther } from './frame/address.ts'
import { CardHeader } from './frame/card-header.tsx'
import type { HeaderActions } from './frame/card-header.tsx'
import { CardStates, DeletedBar, isMissing } from './frame/card-states.tsx'
import { CardTabs } from './frame/card-tabs.tsx'
import { CardTitle } from './frame/card-title.tsx'
import { copyText } from '../ui/copy-text.ts'
import { loadLater } from '../ui/load-later.tsx'
import { isInCard } from './frame/is-in-card.ts'
import { ResizeHandle } from './frame/resize-handle.tsx'
import { tabOf } from './frame/tab-list.ts'
import type { CardTab } from './frame/tab-list.ts'
import { useDrawerFocus } from './frame/use-drawer-focus.ts'
import { useNeighbours } from './frame/use-neighbours.ts'
import { ReadOnlyReason } from './frame/use-read-only.ts'
import { HistoryTab } from './history/index.tsx'
import { cardMessages } from './messages.ts'
import { ANSWER_BOX } from './overview/answer-box.tsx'
import { OverviewTab } from './overview/index.tsx'
import { TranscriptTab } from './transcript/index.tsx'

const RawDialog = loadLater(() => import('./frame/raw-dialog.tsx').then((module) => module.RawDialog))

interface Props {
  readonly board: string
  /** The id of the card. */
  readonly card: string
}

export function CardScreen({ board, card: id }: Props) {
  const t = useMessages(cardMessages)
  const { data: card, error, refetch } = useQuery(cardQuery(id))
  const [tabName, setTab] = useQueryField('tab')
  const tab = tabOf(tabName)
  const changeTab = (next: CardTab): void => setTab(next === 'overview' ? null : next)
  const actions = useHeaderActions({ board, id })
  const drawer = useDrawerFocus(board, id)
  useWholeAddress({ board, id, card })
  const isGone = card !== undefined && (card.deletedAt !== null || isMissing(error))
  const [shown, setShown] = useState<'json' | 'commands' | null>(null)
  const menu = useMenu(id, card === undefined ? null : setShown)
  const frame = (
    <Drawer
      ref={drawer}
      label={t('label')}
      header={
        <>
          <ResizeHandle />
          <CardHeader id={id} card={card} actions={actions} menu={menu} title={card && <CardTitle card={card} />} />
          {isGone && <DeletedBar id={id} error={error} />}
        </>
      }
      {...(card !== undefined && !isGone && { footer: <Footer card={card} /> })}
    >
      {card === undefined ? (
        <CardStates board={board} id={id} error={error} onRetry={() => void refetch()} />
      ) : (
        <CardTabs card={card} current={tab} onChange={changeTab}>
          <Panel tab={tab} card={card} />
        </CardTabs>
      )}
    </Drawer>
  )
  if (card === undefined) return frame
  return (
    <ReadOnlyReason value={isGone ? t('deletedBar') : null}>
      <UploadsProvider card={card.id}>
        <CardActionsProvider card={card}>
          {frame}
          {shown !== null && <RawDialog card={card} shows={shown} onClose={() => setShown(null)} />}
        </CardActionsProvider>
      </UploadsProvider>
    </ReadOnlyReason>
  )
}

function Footer({ card }: { readonly card: CardDetails }) {
  const setQuery = useQueryFields()
  return (
    <CardFooter
      card={card}
      onComment={() => setQuery({ tab: 'comments', comment: NEW_COMMENT })}
      onChanges={() => setQuery({ tab: 'changes' })}
      onAnswer={() => {
        setQuery({ tab: null })
        focusAnswer()
      }}
    />
  )
}

/** Moves the focus to the field for the answer. Its tab may not be shown yet, so this is tried several times. */
function focusAnswer(tries = 60): void {
  const box = document.getElementById(ANSWER_BOX)
  if (box !== null) box.focus()
  else if (tries > 0) requestAnimationFrame(() => focusAnswer(tries - 1))
}

const PANELS = {
  overview: OverviewTab,
  transcript: TranscriptTab,
  changes: ChangesTab,
  attempts: AttemptsTab,
  comments: CommentsTab,
  history: HistoryTab,
} as const

function Panel({ tab, card }: { readonly tab: CardTab; readonly card: CardDetails }) {
  const Shown = PANELS[tab]
  return <Shown card={card} />
}

interface Place {
  readonly board: string
  readonly id: string
}

function useHeaderActions({ board, id }: Place): HeaderActions {
  const t = useMessages(cardMessages)
  const [, navigate] = useLocation()
  const search = useSearch()
  const [page, setPage] = useQueryField('page')
  const { previous, next } = useNeighbours(board, id)
  const goTo = (place: Place | null) =>
    place === null ? null : () => navigate(`${cardPath(place.board, place.id)}${searchForOther(search)}`)
  const actions: HeaderActions = {
    close: () => navigate(`${boardPath(board)}${searchAfterClose(search)}`),
    showPrevious: goTo(previous),
    showNext: goTo(next),
    isPage: page !== null,
    togglePage: () => setPage(page === null ? '1' : null, { adds: false }),
  }
  const group = t('label')
  useShortcuts([
    { keys: 'escape', name: t('close'), group, onPress: actions.close },
    { keys: 'k', name: t('previous'), group, comesFirst: isInCard, onPress: () => actions.showPrevious?.() },
    { keys: 'j', name: t('next'), group, comesFirst: isInCard, onPress: () => actions.showNext?.() },
  ])
  return actions
}

/** Corrects the URL if it contains only the beginning of an id, or names the wrong board. */
function useWholeAddress({ board, id, card }: Place & { readonly card: CardDetails | undefined }): void {
  const [, navigate] = useLocation()
  const search = useSearch()
  const whole = card === undefined ? null : cardPath(card.board, card.id)
  useEffect(() => {
    if (whole !== null && whole !== cardPath(board, id))
      navigate(`${whole}${search === '' ? '' : `?${search}`}`, { replace: true })
  }, [whole, board, id, search, navigate])
}

function useMenu(id: string, show: ((shown: 'json' | 'commands') => void) | null): readonly MenuEntry[] {
  const t = useMessages(cardMessages)
  const refused = t('copyRefused')
  const command = `muster show ${id}`
  return [
    {
      key: 'copy-link',
      label: t('copyLink'),
      onChoose: () => void copyText(`${location.origin}${location.pathname}`, { done: t('copiedLink'), refused }),
    },
    {
      key: 'copy-id',
      label: t('copyId'),
      onChoose: () => void copyText(id, { done: t('copiedId'), refused }),
    },
    {
      key: 'copy-command',
      label: t('copyCommand'),
      end: 'muster show',
      onChoose: () => void copyText(command, { done: t('copiedCommand', { command }), refused }),
    },
    ...(show === null
      ? []
      : [
          { key: 'line', line: true as const },
          { key: 'commands', label: t('showCommands'), onChoose: () => show('commands') },
          { key: 'json', label: t('showJson'), onChoose: () => show('json') },
        ]),
  ]
}
