/** The actions on cards other than moves to another column. */
import { useMemo } from 'react'
import { client } from '../../api/client.ts'
import { asClientError } from '../../api/errors.ts'
import type { BoardCard } from '../../api/queries.ts'
import type { CardCall } from '../../cards/actions/card-call.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { Prediction } from '../moving/predicted.ts'
import { shifted } from './card-entries.ts'
import type { Shift } from './card-entries.ts'
import { columnOf, startOrder } from './known-cards.ts'
import { actionMessages } from './messages.ts'
import { dialogRequest } from './requests.ts'
import type { ChangeCards, Done } from './use-card-actions.ts'

type Cards = readonly BoardCard[]

export interface CardSteps {
  /** Sends the same call for each of the cards. */
  readonly send: (cards: Cards, call: CardCall, done: Done) => void
  readonly addLabels: (cards: Cards, labels: readonly string[]) => void
  readonly remove: (cards: Cards) => void
  /** Deletes the cards without asking for confirmation. */
  readonly removeNow: (cards: Cards) => void
  readonly shift: (card: BoardCard, by: Shift) => void
  readonly duplicate: (card: BoardCard) => void
  readonly copy: (text: string, what: 'copiedLink' | 'copiedId') => void
}

const gone = (cards: Cards): ReadonlyMap<string, Prediction> =>
  new Map(cards.filter(({ run }) => run === null).map(({ id }) => [id, { to: null, place: null }]))

const callEach = (cards: Cards, callOf: (card: BoardCard) => CardCall) =>
  cards.map((card) => ({ id: card.id, call: callOf(card) }))

export function useCardSteps(changeCards: ChangeCards): CardSteps {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  return useMemo(() => {
    const removeNow = (cards: Cards): void =>
      void changeCards({
        calls: callEach(cards, () => ({ name: 'delete', input: {} })),
        done: 'deleted',
        predicted: gone(cards),
      })
    return {
      removeNow,
      send: (cards, call, done) =>
        void changeCards({
          calls: callEach(cards, () => call),
          done,
          ...(call.name === 'archive' && { predicted: gone(cards) }),
        }),
      addLabels: (cards, labels) =>
        void changeCards({
          calls: callEach(cards, (card) => ({
            name: 'edit',
            input: { labels: [...new Set([...card.labels, ...labels])] },
          })),
          done: 'labelled',
        }),
      // Asks for confirmation: a deleted card can be restored, but the work of its running agent is lost.
      remove: (cards) =>
        cards.some(({ run }) => run !== null) ? dialogRequest.set({ kind: 'delete', cards }) : removeNow(cards),
      shift(card, by) {
        const place = shifted(card, columnOf(card.id), by)
        if (place === null || !startOrder.get()) return
        const input =
          by === 'first' || by === 'last'
            ? { to: by }
            : place.side === 'above'
              ? { before: place.anchor }
              : { after: place.anchor }
        void changeCards({
          calls: [{ id: card.id, call: { name: 'reorder', input } }],
          done: 'placed',
          predicted: new Map([[card.id, { to: card.status, place }]]),
        })
      },
      duplicate: (card) =>
        void client.duplicate({ task: card.id }).then(
          () => showToast({ kind: 'done', text: t('duplicated', { title: card.title }) }),
          (error: unknown) => showToast({ kind: 'failed', text: describeError(asClientError(error), language) }),
        ),
      copy: (text, what) =>
        void navigator.clipboard.writeText(text).then(
          () => showToast({ kind: 'done', text: t(what) }),
          () => showToast({ kind: 'failed', text: t('copyRefused'), note: text }),
        ),
    }
  }, [changeCards, t, language])
}
