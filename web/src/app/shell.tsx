/** The frame around every screen: navigation, the screen, and the open card beside it. */
import { useEffect } from 'react'
import { Redirect, Route, Switch, useRoute } from 'wouter'
import { ROUTES, boardPath } from '../routes/paths.ts'
import { rememberCard } from '../routes/recent-cards.ts'
import { useCreateDialog } from '../routes/use-create-dialog.ts'
import { useCurrentBoard } from '../routes/use-current-board.ts'
import { useQueryField } from '../routes/use-query-field.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { useLive } from '../api/use-live.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { classNames } from '../ui/class-names.ts'
import { GlobalShortcuts } from './global-shortcuts.tsx'
import { appMessages } from './messages.ts'
import { NotFound } from './not-found.tsx'
import {
  ActivityScreen,
  AgentsScreen,
  BoardScreen,
  CardScreen,
  CreateDialog,
  GraphScreen,
  HealthScreen,
  InboxScreen,
  Palette,
  PlanScreen,
  RecurringScreen,
  SettingsScreen,
} from './screens.ts'
import css from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { SignedOut } from '../sign-in/signed-out.tsx'
import { useNotices } from './use-notices.ts'
import { useTabMarks } from './use-tab-marks.ts'
import { isPhone } from './window-size.ts'

export function Shell() {
  const t = useMessages(appMessages)
  const board = useCurrentBoard()
  const [hasCard, card] = useRoute(ROUTES.card)
  const [page] = useQueryField('page')
  const live = useLive().is
  const open = hasCard ? card.card : null
  const openBoard = hasCard ? card.board : null
  useEffect(() => {
    if (open !== null && openBoard !== null) rememberCard({ board: openBoard, id: open })
  }, [open, openBoard])
  if (live === 'signed_out') return <SignedOut />
  return (
    <div
      className={classNames(css.app, hasCard && css.withDrawer, hasCard && page !== null && css.cardPage)}
      data-live={live}
    >
      {/* The screens register their keys after this component, so that their keys take precedence. */}
      <GlobalShortcuts board={board} />
      <a href="#content" className={css.skip}>
        {t('skip')}
      </a>
      <Sidebar board={board} />
      <main id="content" className={css.main} tabIndex={-1}>
        <Screens board={board} />
      </main>
      {hasCard && <CardScreen key={card.card} board={card.board} card={card.card} />}
      <Overlays board={board} />
      <ToastRegion />
      <Attention />
    </div>
  )
}

/**
 * Updates the tab's title and icon, and the desktop notifications. The counts change often, so this is a component of
 * its own: nothing else renders again.
 */
function Attention() {
  useTabMarks()
  useNotices()
  return null
}

const Screens = ({ board }: { readonly board: string | null }) => (
  <Switch>
    <Route path={ROUTES.home}>
      {isPhone() ? (
        <Redirect to={ROUTES.inbox} replace />
      ) : (
        board !== null && <Redirect to={boardPath(board)} replace />
      )}
    </Route>
    <Route path={ROUTES.allBoards}>
      <BoardScreen board={null} />
    </Route>
    {/* A board has the same route with and without an open card, so opening a card does not render the board again. */}
    <Route path="/b/:board/*?">{({ board: shown }) => <BoardScreen key={shown} board={shown} />}</Route>
    <Route path={ROUTES.graph}>{({ board: shown }) => <GraphScreen key={shown} board={shown} />}</Route>
    <Route path={ROUTES.plan}>{({ board: shown, card }) => <PlanScreen key={card} board={shown} card={card} />}</Route>
    <Route path="/recurring/:series?">{({ series = null }) => <RecurringScreen series={series} />}</Route>
    <Route path={ROUTES.inbox}>
      <InboxScreen />
    </Route>
    <Route path="/agents/:agent?">{({ agent = null }) => <AgentsScreen agent={agent} />}</Route>
    <Route path={ROUTES.activity}>
      <ActivityScreen />
    </Route>
    <Route path={ROUTES.health}>
      <HealthScreen />
    </Route>
    <Route path="/settings/:part?">
      <SettingsScreen />
    </Route>
    <Route>
      <NotFound board={board} />
    </Route>
  </Switch>
)

/** The dialogs that can open over any screen. The URL stores them, so they stay open after a reload. */
function Overlays({ board }: { readonly board: string | null }) {
  const { prefill, close } = useCreateDialog()
  const [palette, setPalette] = useQueryField('find')
  return (
    <>
      {prefill !== null && board !== null && <CreateDialog board={board} prefill={prefill} onClose={close} />}
      {palette !== null && (
        <Palette text={palette === '1' ? '' : palette} onClose={() => setPalette(null, { adds: false })} />
      )}
    </>
  )
}
