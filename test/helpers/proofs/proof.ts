/**
 * The result of a proof: its figures, and the violations that it found (`faults`). A proof without violations passes.
 */
import type { Actor } from '../../../src/core/actor.ts'
import { unwrap } from '../../../src/core/command.ts'
import type { Command } from '../../../src/core/command.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import type { VerbInput, VerbResult, VerbName } from '../../../src/core/transitions/index.ts'
import type { Store } from '../../../src/storage/store.ts'
import { newTaskId } from '../../../src/util/mint.ts'
import { BOARD } from '../places.ts'

export interface Proof {
  readonly figures: Readonly<Record<string, number | string>>
  readonly faults: readonly string[]
}

const ada: Actor = { kind: 'person', name: 'ada' }

export const command = <N extends VerbName>(verb: N, input: VerbInput<N>, actor: Actor = ada): Command<N> => ({
  verb,
  board: BOARD,
  actor,
  input,
})

export const decide = async <N extends VerbName>(store: Store, verb: N, input: VerbInput<N>): Promise<VerbResult<N>> =>
  unwrap(await store.decide(command(verb, input)))

/** Creates cards, with a hundred cards per transaction. */
export async function createCards(store: Store, count: number, assignee: string | null = null): Promise<TaskId[]> {
  const ids = Array.from({ length: count }, newTaskId)
  for (let at = 0; at < count; at += 100) {
    const cards = ids.slice(at, at + 100).map((id) => ({ id, title: `card ${id}`, assignee }))
    await decide(store, 'create', { cards })
  }
  return ids
}

/** Returns the findings of `doctor` as violations of the proof. */
export const examined = async (store: Store): Promise<string[]> =>
  (await store.doctor()).map((finding) => `doctor: ${finding.rule} ${finding.id ?? ''}: ${finding.message}`)

/** Returns the message as a list if the condition is false. */
export const unless = (condition: boolean, fault: string): string[] => (condition ? [] : [fault])

export function countBy<T>(values: readonly T[], keyOf: (value: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[keyOf(value)] = (counts[keyOf(value)] ?? 0) + 1
  return counts
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
