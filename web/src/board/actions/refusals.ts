/** The sentences with which the server refused changes. Each sentence appears beside its card. */
import { useCallback, useSyncExternalStore } from 'react'
import type { Status } from '../../../../src/core/vocabulary.ts'
import { makeValue } from '../../app-state/value.ts'
import { knownCards } from './known-cards.ts'

interface Refusal {
  readonly text: string
  /**
   * The status of the card when the change was refused. After a change of the status, the sentence no longer applies.
   */
  readonly status: Status | undefined
}

const refusals = makeValue<ReadonlyMap<string, Refusal>>(new Map())

const statusOf = (id: string): Status | undefined => knownCards.get().byId.get(id)?.status

export function addRefusals(sentences: ReadonlyMap<string, string>): void {
  if (sentences.size === 0) return
  const added = [...sentences].map(([id, text]): [string, Refusal] => [id, { text, status: statusOf(id) }])
  refusals.set(new Map([...refusals.get(), ...added]))
}

function keep(isKept: (id: string, refusal: Refusal) => boolean): void {
  const before = refusals.get()
  const left = new Map([...before].filter(([id, refusal]) => isKept(id, refusal)))
  if (left.size < before.size) refusals.set(left)
}

export function dismissRefusals(ids: readonly string[]): void {
  keep((id) => !ids.includes(id))
}

/** Removes the sentences about cards whose status has changed since. */
export function dropOldRefusals(): void {
  keep((id, { status }) => status === statusOf(id))
}

export const useRefusal = (id: string): string | undefined =>
  useSyncExternalStore(
    refusals.follow,
    useCallback(() => refusals.get().get(id)?.text, [id]),
  )
