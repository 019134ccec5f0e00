/** The cards that the board shows now. Each group of columns registers its cards here. */
import { useLayoutEffect, useId } from 'react'
import type { BoardCard } from '../../api/queries.ts'
import { makeValue } from '../../app-state/value.ts'
import type { Lane } from '../lanes.ts'

export interface KnownCards {
  readonly lanes: readonly Lane[]
  readonly byId: ReadonlyMap<string, BoardCard>
}

const groups = new Map<string, readonly Lane[]>()

export const knownCards = makeValue<KnownCards>({ lanes: [], byId: new Map() })

function publish(): void {
  const lanes = [...groups.values()].flat()
  knownCards.set({ lanes, byId: new Map(lanes.flatMap(({ cards }) => cards.map((card) => [card.id, card]))) })
}

export function useKnownLanes(lanes: readonly Lane[]): void {
  const group = useId()
  useLayoutEffect(() => {
    groups.set(group, lanes)
    publish()
  }, [group, lanes])
  useLayoutEffect(
    () => () => {
      groups.delete(group)
      publish()
    },
    [group],
  )
}

/** Whether the cards are sorted by when they start. Only then can a person change their order. */
export const startOrder = makeValue(true)

export const cardsOf = (ids: Iterable<string>): readonly BoardCard[] =>
  [...ids].flatMap((id) => knownCards.get().byId.get(id) ?? [])

/** Returns the cards with these ids, in the order of the board. */
export const inBoardOrder = (ids: ReadonlySet<string>): readonly BoardCard[] => {
  const found = knownCards.get().lanes.flatMap(({ cards }) => cards.filter(({ id }) => ids.has(id)))
  return [...new Map(found.map((card) => [card.id, card])).values()]
}

/** The column of a card. */
export const columnOf = (id: string): readonly BoardCard[] =>
  knownCards.get().lanes.find(({ cards }) => cards.some((card) => card.id === id))?.cards ?? []
