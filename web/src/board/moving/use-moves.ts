/** Moves cards to a lane or to another place. If a move needs a text or consent, a dialog asks for it first. */
import { callOf } from '../../cards/actions/move-call.ts'
import { obstructionMessages } from '../../cards/actions/move-messages.ts'
import { accepts } from '../../../../src/core/status.ts'
import type { BoardCard } from '../../api/queries.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { addRefusals } from '../actions/refusals.ts'
import { dialogRequest } from '../actions/requests.ts'
import type { ChangeCards } from '../actions/use-card-actions.ts'
import { cardsOf } from '../actions/known-cards.ts'
import type { LaneName } from '../lanes.ts'
import { canReorder, isPredictable, planMove } from './lane-plan.ts'
import type { PlannedMove } from './lane-plan.ts'
import type { Place, Prediction } from './predicted.ts'

export interface Moves {
  readonly moveTo: (cards: readonly BoardCard[], lane: LaneName, place?: Place | null) => void
  readonly apply: (moves: readonly PlannedMove[], text: string, place: Place | null) => void
  /** Places cards beside another card of the same column. The cards keep their order. */
  readonly reorder: (cards: readonly BoardCard[], place: Place) => void
}

/** Whether the move needs a dialog first: it needs a text, or it ends a run. */
const needsDialog = ({ move }: PlannedMove): boolean => move.asks !== null || move.endsRun

export function useMoves(changeCards: ChangeCards): Moves {
  const tWhy = useMessages(obstructionMessages)
  const reorder: Moves['reorder'] = (cards, place) => void reorderCards(changeCards, cards, place)
  const apply: Moves['apply'] = (moves, text, place) => void applyMoves(changeCards, { moves, text, place })
  return {
    reorder,
    apply,
    moveTo(cards, lane, place = null) {
      const { moves, denied } = planMove(cards, lane)
      const refused = denied.filter(({ why }) => why !== 'already_there')
      addRefusals(new Map(refused.map(({ card, why }) => [card.id, tWhy(why)])))
      if (moves.some(needsDialog)) dialogRequest.set({ kind: 'move', lane, moves, place })
      else apply(moves, '', place)
    },
  }
}

async function applyMoves(
  changeCards: ChangeCards,
  {
    moves,
    text,
    place,
  }: { readonly moves: readonly PlannedMove[]; readonly text: string; readonly place: Place | null },
): Promise<void> {
  const predicted = new Map(
    moves.filter(isPredictable).map(({ card, to }): [string, Prediction] => [card.id, { to, place }]),
  )
  const calls = moves.map(({ card, move }) => ({ id: card.id, call: callOf(move, text) }))
  const results = await changeCards({ calls, done: 'moved', predicted })
  if (place === null) return
  const [anchor] = cardsOf([place.anchor])
  const moved = moves.filter(({ card, to }) => {
    const isDone = results.some(({ id, ok }) => id === card.id && ok)
    return isDone && to === anchor?.status && accepts(to, 'reorder')
  })
  await reorderCards(
    changeCards,
    moved.map(({ card, to }) => ({ ...card, status: to })),
    place,
  )
}

/** Moves the cards one by one, each below the previous one. */
async function reorderCards(
  changeCards: ChangeCards,
  cards: readonly BoardCard[],
  { anchor, side }: Place,
): Promise<void> {
  const movable = cards.filter((card) => canReorder(card) && card.id !== anchor)
  const places = movable.map(({ id, status }, at) => {
    const before = at === 0 ? undefined : movable[at - 1]?.id
    const place: Place = before === undefined ? { anchor, side } : { anchor: before, side: 'below' }
    return { id, status, place }
  })
  await changeCards({
    done: 'placed',
    predicted: new Map(places.map(({ id, status, place }): [string, Prediction] => [id, { to: status, place }])),
    calls: places.map(({ id, place }) => ({
      id,
      call: { name: 'reorder', input: place.side === 'above' ? { before: place.anchor } : { after: place.anchor } },
    })),
  })
}
