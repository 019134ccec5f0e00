/** Changes cards, shows the results, and offers to undo the changes. */
import type { CallOn, CallResult } from '../../cards/actions/card-call.ts'
import { sendCalls } from '../../cards/actions/card-call.ts'
import { inverseOf } from '../../cards/actions/inverse.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import type { BoardCard } from '../../api/queries.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { showToast } from '../../ui/toasts.ts'
import { addPredictions, removePredictions } from '../moving/predicted.ts'
import type { Predictions } from '../moving/predicted.ts'
import { selection } from '../selection/selection.ts'
import { cardsOf } from './known-cards.ts'
import { actionMessages } from './messages.ts'
import { addRefusals, dismissRefusals } from './refusals.ts'

/** The change that the message reports. `placed` shows no message, because the person sees the card move. */
export type Done =
  'archived' | 'assigned' | 'deleted' | 'held' | 'labelled' | 'moved' | 'placed' | 'prioritized' | 'released' | 'undone'

export interface CardChange {
  readonly calls: readonly CallOn[]
  readonly done: Done
  readonly predicted?: Predictions
}

interface Sent extends CardChange {
  /** The cards before the change. */
  readonly before: readonly BoardCard[]
}

/** After these changes, the cards are no longer selected. */
const ENDS_SELECTION: readonly Done[] = ['archived', 'deleted', 'moved']

const boardsOf = (cards: readonly BoardCard[]) => [...new Set([null, ...cards.map(({ board }) => board)])]

export type ChangeCards = (change: CardChange) => Promise<readonly CallResult[]>

export function useCardActions(): ChangeCards {
  const report = useReport()
  const { mutateAsync } = useCommand<Sent, readonly CallResult[]>({
    run: ({ calls }) => sendCalls(calls),
    cards: ({ calls }) => calls.map(({ id }) => id),
    refresh: ({ before }) => boardsOf(before).map((board) => keys.board(board)),
    onDone: (results, sent) => report(results, sent, (change) => void changeCards(change)),
    onRefusal(error, { calls, before }) {
      report(
        calls.map(({ id }) => ({ id, ok: false, error })),
        { calls, done: 'moved', before },
        () => {},
      )
    },
  })
  const changeCards: ChangeCards = async (change) => {
    const ids = change.calls.map(({ id }) => id)
    if (ids.length === 0) return []
    dismissRefusals(ids)
    addPredictions(change.predicted ?? new Map())
    try {
      return await mutateAsync({ ...change, before: cardsOf(ids) })
    } catch {
      // The result is empty, because `onRefusal` has already shown the error.
      return []
    } finally {
      removePredictions(ids)
    }
  }
  return changeCards
}

type Report = (results: readonly CallResult[], sent: Sent, undo: (change: CardChange) => void) => void

function useReport(): Report {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  return (results, { calls, done, before }, undo) => {
    const cards = new Map(before.map((card) => [card.id, card]))
    const titleOf = (id: string): string => cards.get(id)?.title ?? id
    const refused = results.flatMap((result) => (result.ok ? [] : [result]))
    const accepted = results.flatMap((result) => (result.ok ? [result] : []))
    const sentences = new Map(refused.map(({ id, error }) => [id, describeError(error, language)]))
    removePredictions(sentences.keys())
    addRefusals(sentences)
    // Refused cards stay selected, so that the person can try again.
    if (ENDS_SELECTION.includes(done) || refused.length > 0) deselect(accepted.map(({ id }) => id))

    const [first] = refused
    const note =
      first === undefined
        ? {}
        : { note: t('refusal', { title: titleOf(first.id), why: sentences.get(first.id) ?? '' }) }
    if (accepted.length === 0) {
      if (results.length > 1 || !isShown(first?.id))
        showToast({ kind: 'failed', text: t('noneDone', { n: results.length }), ...note })
      return
    }
    if (done === 'placed') return
    const inverse = calls.flatMap(({ id, call }) => {
      const card = cards.get(id)
      const isDone = accepted.some((result) => result.id === id && !result.isPending)
      const back = card === undefined || !isDone ? null : inverseOf(call, card)
      return back === null ? [] : [{ id, call: back }]
    })
    const [one] = accepted
    const isPending = accepted.every((result) => result.isPending)
    const values = { n: accepted.length, title: titleOf(one?.id ?? '') }
    const text =
      refused.length > 0
        ? t('partlyDone', { k: accepted.length, n: results.length })
        : t(isPending ? 'pending' : done, values)
    const canUndo = done !== 'undone' && inverse.length > 0
    showToast({
      kind: 'done',
      text,
      ...note,
      ...(canUndo && { action: { label: t('undo'), onChoose: () => undo({ calls: inverse, done: 'undone' }) } }),
    })
  }
}

const isShown = (id: string | undefined): boolean =>
  id !== undefined && document.querySelector(`[data-card="${id}"]`) !== null

function deselect(ids: readonly string[]): void {
  const { ids: selected, anchor } = selection.get()
  const left = [...selected].filter((id) => !ids.includes(id))
  if (left.length < selected.size) selection.set({ ids: new Set(left), anchor })
}
