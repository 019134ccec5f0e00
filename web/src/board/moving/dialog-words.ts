/** Chooses the texts of the dialog that asks about a move. The functions are pure. */
import type { MoveEffect } from '../../../../src/core/destinations/destination.ts'
import type { PlannedMove } from './lane-plan.ts'
import type { movingMessages } from './messages.ts'

type Key = keyof (typeof movingMessages)['en']

export interface DialogWords {
  readonly title: Extract<Key, `${string}Title`>
  readonly submit: 'answer' | 'block' | 'complete' | 'move' | 'reopen' | 'review' | 'sendBack' | 'start'
  /** The label of the text field. Null means that the dialog only asks for consent. */
  readonly label: Extract<Key, `${string}Label`> | null
  readonly isRequired: boolean
  /** The effects of the move that the dialog mentions. */
  readonly notes: readonly ('checksFirst' | 'dropsParents' | 'endsRun')[]
}

const MOVE = { title: 'moveTitle', submit: 'move', label: null } as const

const WORDS: Readonly<Partial<Record<MoveEffect, Pick<DialogWords, 'title' | 'submit' | 'label'>>>> = {
  answers: { title: 'answerTitle', submit: 'answer', label: 'textLabel' },
  asks_review: { title: 'reviewTitle', submit: 'review', label: 'summaryLabel' },
  blocks: { title: 'blockTitle', submit: 'block', label: 'reasonLabel' },
  completes: { title: 'completeTitle', submit: 'complete', label: 'summaryLabel' },
  completes_with_checks: { title: 'completeTitle', submit: 'complete', label: 'summaryLabel' },
  drops_parents: { title: 'startTitle', submit: 'start', label: null },
  reopens: { title: 'reopenTitle', submit: 'reopen', label: 'reasonLabel' },
  sends_back: { title: 'sendBackTitle', submit: 'sendBack', label: 'changesLabel' },
}

/** Returns the texts of the dialog. One dialog covers all cards of a move. */
export function dialogWords(moves: readonly PlannedMove[]): DialogWords {
  const asking = moves.find(({ move }) => move.asks !== null) ?? moves[0]
  const has = (effects: readonly MoveEffect[]): boolean => moves.some(({ move }) => effects.includes(move.effect))
  const words = asking === undefined ? MOVE : (WORDS[asking.move.effect] ?? MOVE)
  const isRequired = moves.some(({ move }) => move.asks?.isRequired === true && move.asks.field !== 'confirm')
  // A summary describes the work of one card.
  const isForOne = words.label === 'summaryLabel' && moves.length > 1 && !isRequired
  return {
    ...words,
    ...(isForOne && { label: null }),
    isRequired,
    notes: [
      ...(has(['drops_parents']) ? (['dropsParents'] as const) : []),
      ...(has(['completes_with_checks']) ? (['checksFirst'] as const) : []),
      ...(moves.some(({ move }) => move.endsRun) ? (['endsRun'] as const) : []),
    ],
  }
}
