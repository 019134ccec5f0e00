/**
 * The actions on the cards of the board, by mouse, by keys and by menus. All cards share one instance of this
 * component.
 */
import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { useValue } from '../app-state/use-value.ts'
import { cardPath } from '../routes/paths.ts'
import { loadLater } from '../ui/load-later.tsx'
import { CardMenu } from './actions/card-menu.tsx'
import { nextSteps } from './actions/card-entries.ts'
import { cardsOf, knownCards, startOrder } from './actions/known-cards.ts'
import { dropOldRefusals } from './actions/refusals.ts'
import { dialogRequest } from './actions/requests.ts'
import { useCardActions } from './actions/use-card-actions.ts'
import { useCardSteps } from './actions/use-card-steps.ts'
import { usePaletteActions } from './actions/use-palette-actions.ts'
import { restoreFocus } from './keyboard/focus.ts'
import { useBoardKeys } from './keyboard/use-board-keys.ts'
import { DragTip } from './moving/drag-tip.tsx'
import { useDragMonitor } from './moving/use-drag-monitor.ts'
import { useMoves } from './moving/use-moves.ts'
import { clearSelection, pruned, selection } from './selection/selection.ts'

const BoardDialogs = loadLater(() => import('./moving/board-dialogs.tsx').then((module) => module.BoardDialogs))
const BulkBar = loadLater(() => import('./selection/bulk-bar.tsx').then((module) => module.BulkBar))

/** How long the board must be unchanged before the dialogs are loaded in advance. Their first use is then fast. */
const LOAD_MS = 1_500

/** Renders the shared parts. `isStartOrder` is true if the cards are in the order in which they start. */
export function BoardActions({ isStartOrder }: { readonly isStartOrder: boolean }) {
  const known = useValue(knownCards)
  useLayoutEffect(() => {
    selection.set(pruned(selection.get(), known.byId))
    dropOldRefusals()
    restoreFocus()
  }, [known])
  useLayoutEffect(() => startOrder.set(isStartOrder), [isStartOrder])
  useEffect(() => clearSelection, [])
  useEffect(() => {
    // If the code cannot be loaded now, it is loaded again when it is needed.
    const timer = setTimeout(() => {
      void BoardDialogs.preload()
      void BulkBar.preload()
    }, LOAD_MS)
    return () => clearTimeout(timer)
  }, [])
  const changeCards = useCardActions()
  const moves = useMoves(changeCards)
  const steps = useCardSteps(changeCards)
  const [, navigate] = useLocation()
  useDragMonitor(moves)
  usePaletteActions({ moves, steps })
  useBoardKeys({
    shift: (id, by) => cardsOf([id]).forEach((card) => steps.shift(card, by)),
    remove: (ids) => {
      const cards = cardsOf(ids)
      if (cards.length > 0) steps.remove(cards)
    },
    answer(id) {
      const [card] = cardsOf([id])
      const next = card && nextSteps(card).find(({ step }) => step === 'answer' || step === 'approve')
      if (card === undefined) return
      if (next === undefined) navigate(cardPath(card.board, card.id))
      else moves.moveTo([card], next.plan.lane)
    },
  })
  const hasDialog = useValue(dialogRequest) !== null
  const hasSelection = useValue(selection).ids.size > 0
  return (
    <>
      <CardMenu moves={moves} steps={steps} />
      <DragTip />
      {hasDialog && <BoardDialogs moves={moves} steps={steps} />}
      {hasSelection && <BulkBar steps={steps} />}
    </>
  )
}
