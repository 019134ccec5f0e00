/** Builds the menu entries for cards. The functions are pure; core decides which actions are legal. */
import { canPromote } from '../../../../src/core/gates/readiness.ts'
import { isReady, isSatisfied } from '../../../../src/core/status.ts'
import type { BoardCard } from '../../api/queries.ts'
import { canReorder, planMove } from '../moving/lane-plan.ts'
import type { LanePlan } from '../moving/lane-plan.ts'
import type { Place } from '../moving/predicted.ts'

export type NextStep = 'start' | 'retry' | 'answer' | 'approve' | 'sendBack' | 'stop'

/** The next steps for one card, the most likely one first. */
export function nextSteps(card: BoardCard): readonly { readonly step: NextStep; readonly plan: LanePlan }[] {
  const found = (['done', 'ready'] as const).flatMap((lane) => {
    const plan = planMove([card], lane)
    const step = stepOf(plan)
    return step === null ? [] : [{ step, plan }]
  })
  return found
}

function stepOf({ moves: [first] }: LanePlan): NextStep | null {
  switch (first?.move.effect) {
    case 'starts':
      return 'start'
    case 'retries':
      return 'retry'
    case 'answers':
      return 'answer'
    case 'approves':
      return 'approve'
    case 'sends_back':
      return 'sendBack'
    case 'stops':
      return 'stop'
    default:
      return null
  }
}

/** Whether a ready card waits for a retry that a person may start now. */
export const canStartNow = (card: BoardCard): boolean => isReady(card.status) && canPromote(card)

export const canHold = ({ status, held }: BoardCard): boolean => !held && !isSatisfied(status)

export type Shift = 'first' | 'up' | 'down' | 'last'

/**
 * Returns the place of a card after it moves up or down by one. Null means that it is already at the end of its column.
 */
export function shifted(card: BoardCard, column: readonly BoardCard[], by: Shift): Place | null {
  const peers = column.filter(({ status }) => status === card.status)
  const at = peers.findIndex(({ id }) => id === card.id)
  if (at < 0 || !canReorder(card)) return null
  const isUp = by === 'first' || by === 'up'
  const target = { first: 0, up: at - 1, down: at + 1, last: peers.length - 1 }[by]
  const anchor = peers[target]
  if (anchor === undefined || anchor.id === card.id) return null
  return { anchor: anchor.id, side: isUp ? 'above' : 'below' }
}

/** The priorities that the menu offers. */
export const PRIORITIES = [
  { priority: 3, name: 'urgent' },
  { priority: 2, name: 'high' },
  { priority: 1, name: 'raised' },
  { priority: 0, name: 'normal' },
  { priority: -1, name: 'low' },
] as const
