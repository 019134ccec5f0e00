/** Adds and removes links in the graph, and offers to undo each change. */
import { useCommand } from '../api/use-command.ts'
import { client } from '../api/client.ts'
import type { LinkEnds } from '../cards/graph/link-ends.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { showToast } from '../ui/toasts.ts'
import type { GraphCard } from './graph-cards.ts'
import { graphMessages } from './messages.ts'
import { graphQuery } from './queries.ts'

interface Change {
  readonly link: LinkEnds
  /** Whether this change undoes another one. Then it cannot be undone again. */
  readonly isUndo?: boolean
}

export function useLinks(board: string, middle: string | null, cards: readonly GraphCard[]) {
  const t = useMessages(graphMessages)
  const language = useLanguage()
  const refresh = () => [graphQuery(board, middle).queryKey]
  const titles = ({ link: { parent, child } }: Change) => {
    const titleOf = (id: string): string => cards.find((card) => card.id === id)?.title ?? id
    return { parent: titleOf(parent), child: titleOf(child) }
  }
  const link = useCommand({
    run: (change: Change) => client.link(change.link),
    cards: (change) => [change.link.parent, change.link.child],
    refresh,
    onRefusal: (error, change) =>
      showToast({
        kind: 'failed',
        text: error.code === 'cycle' ? t('cycle', titles(change)) : describeError(error, language),
      }),
    onDone: (_, change) =>
      showToast({
        kind: 'done',
        text: t('linked', titles(change)),
        ...(change.isUndo !== true && {
          action: { label: t('undo'), onChoose: () => unlink.mutate({ link: change.link, isUndo: true }) },
        }),
      }),
  })
  const unlink = useCommand({
    run: (change: Change) => client.unlink(change.link),
    cards: (change) => [change.link.parent, change.link.child],
    refresh,
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
    onDone: (_, change) =>
      showToast({
        kind: 'done',
        text: t('unlinked', titles(change)),
        ...(change.isUndo !== true && {
          action: { label: t('undo'), onChoose: () => link.mutate({ link: change.link, isUndo: true }) },
        }),
      }),
  })
  return {
    add: (ends: LinkEnds) => link.mutate({ link: ends }),
    remove: (ends: LinkEnds) => unlink.mutate({ link: ends }),
  }
}
