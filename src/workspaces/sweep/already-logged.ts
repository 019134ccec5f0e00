/** What upkeep does again and again is told once: nobody reads the same line in a card's history every ten minutes. */
import type { EventData } from '../../core/event.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'

/** After these the card is another matter, and all is told anew. */
const RESETS: readonly string[] = ['completed', 'approved', 'archived', 'unarchived', 'undeleted', 'reopened']

interface LoggedEvent<K extends keyof EventData> {
  readonly kind: K
  readonly data?: Partial<EventData[K]>
}

/** Whether the history of a card says this since the card was finished. Only words depend on it, never what is done. */
export async function isAlreadyLogged<K extends keyof EventData>(
  store: Pick<Store, 'taskEvents'>,
  { board, id }: { readonly board: string; readonly id: TaskId },
  { kind, data = {} }: LoggedEvent<K>,
): Promise<boolean> {
  for (const event of (await store.taskEvents(board, id)).toReversed()) {
    if (RESETS.includes(event.kind)) return false
    if (event.kind === kind) return Object.entries(data).every(([key, value]) => event.data[key] === value)
  }
  return false
}
