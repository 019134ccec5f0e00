/** Finds what the line of a reason does not show: a text, cards and a path. */
import type { ReasonView } from '../../../../src/client/index.ts'

export interface ReasonDetail {
  /** The text of an agent, a program or a person. Null means that the reason has no text. */
  readonly text: string | null
  readonly cards: readonly { readonly id: string; readonly title: string | null }[]
  readonly place: string | null
}

const CARD = /^t_\w+$/

export function reasonDetail({ code, params }: Pick<ReasonView, 'code' | 'params'>): ReasonDetail {
  const text = (name: string): string | null => {
    const value = params[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const card = text('card')
  return {
    // For a blocked card, the line already contains the text.
    text: code === 'blocked' ? null : (text('error') ?? text('fault') ?? text('reason') ?? text('question')),
    cards: [...parentsIn(params['parents']), ...(card !== null && CARD.test(card) ? [{ id: card, title: null }] : [])],
    place: text('file') ?? text('folder') ?? text('path') ?? text('hours'),
  }
}

const parentsIn = (parents: unknown): ReasonDetail['cards'] =>
  Array.isArray(parents)
    ? parents.flatMap((parent: unknown) => {
        const { id, title } = parent as { readonly id?: unknown; readonly title?: unknown }
        return typeof id === 'string' ? [{ id, title: typeof title === 'string' ? title : null }] : []
      })
    : []
